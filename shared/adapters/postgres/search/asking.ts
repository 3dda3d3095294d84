import type { Actor } from '@svc/domain';
import { sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { jobs } from '../schema/index.ts';
import { hasAny, type Facet } from './facets.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What conditions are made with. */
export interface SearchContext {
  readonly db: Database;
  readonly viewer: Actor;
  readonly now: Date;
  readonly vocabulary: Vocabulary;
}

/** How a row is asked: by its facets, which an index finds, or by its columns, which is quicker where it is at hand. */
export type Manner = 'facets' | 'columns';
export interface Asking extends SearchContext {
  readonly manner: Manner;
}

export const nothing = sql`false`;

/** Jobs that have any of some facets. */
export const any = (...facets: Facet[]): SQL => hasAny(jobs.facets, facets);

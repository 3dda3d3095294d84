import type { Actor, EntitySearchNode, EntityType, Tag } from '@svc/domain';
import type { ListCursor, ListPlace } from '../jobs/job-lists.ts';
import type { Entity } from './entity-repository.ts';

/** What a list of entities is narrowed to. `now` is what times are counted back from. */
export interface EntityListSearch {
  /** Null for all. */
  readonly root: EntitySearchNode | null;
  readonly now: Date;
}

/** How entities are ordered; by id, the highest first, within what is equal. */
export const entitySorts = ['last_seen', 'first_seen', 'jobs', 'value', 'watchlist'] as const;
export type EntitySort = (typeof entitySorts)[number];

export interface EntityOrder {
  readonly by: EntitySort;
  readonly isReversed: boolean;
  /** Of entities that are the same only the first that meets the search. */
  readonly foldsAliases: boolean;
}

export interface ListedEntity extends Entity {
  readonly tags: readonly Tag[];
  /** Others that are the same. */
  readonly aliases: number;
}

export interface EntityPage {
  readonly entities: readonly ListedEntity[];
  /** The page shown: the last one when the one asked for lies beyond it; as asked for with a cursor. */
  readonly page: number;
  readonly total: number;
  /** The pages beside this one; null where there is none. */
  readonly older: ListCursor | null;
  readonly newer: ListCursor | null;
}

/** What came after a time. */
export interface EntityNews {
  readonly first: number;
  readonly again: number;
}

/** What there is on the whole. */
export interface EntityCounts {
  readonly byType: Readonly<Record<EntityType, number>>;
  readonly watched: number;
  readonly allowlisted: number;
  /** Jobs that the viewer sees and that name any. */
  readonly jobs: number;
}

/** Lists of entities, which every member sees alike but for what jobs of theirs name (resolved-intel 4, 22). */
export interface EntityLists {
  page(viewer: Actor, search: EntityListSearch, place: ListPlace, order: EntityOrder): Promise<EntityPage>;
  /** The numbers of at most so many of those that the order leaves, the highest first. */
  ids(viewer: Actor, search: EntityListSearch, order: EntityOrder, limit: number): Promise<readonly number[]>;
  /** How many that meet the search were first named after a time, and how many again, up to a limit of both. */
  news(
    viewer: Actor,
    search: EntityListSearch,
    asked: { readonly since: Date; readonly limit: number },
  ): Promise<EntityNews>;
  counts(viewer: Actor): Promise<EntityCounts>;
  /** Visible jobs that name any entity, whose file name contains the text or whose number begins with it; newest first. */
  jobs(viewer: Actor, text: string, limit: number): Promise<readonly number[]>;
}

import { searchKeys } from '@svc/domain';
import { z } from 'zod';
import { TagNames } from '../fields.ts';

/** What narrows a list of jobs: the query of resolved-platform 12, and tags of which any will do. */
export const JobSearchQuery = z.object({ q: z.string().max(2000).default(''), tags: TagNames });
export type JobSearchQuery = z.output<typeof JobSearchQuery>;

/** What a list of jobs can be sorted by: that for which there is an index, however many jobs there are. */
export const jobSorts = ['created', 'matches', 'severity'] as const;
export type JobSort = (typeof jobSorts)[number];

/** Bounds in the query, in UTF-16 units. */
const place = { start: z.number().int(), end: z.number().int() };

/** One term of the query. */
export const QueryChip = z.object({
  ...place,
  /** In the one spelling that it has; as typed when it cannot be used. */
  text: z.string(),
  negated: z.boolean(),
  /** Null for a word or phrase. */
  key: z.enum(searchKeys).nullable(),
  /** Why it matches nothing; null when it can be used. */
  error: z.string().nullable(),
});
export type QueryChip = z.output<typeof QueryChip>;

/** What of the query cannot be used, terms and single values, and why. */
export const QueryError = z.object({ ...place, term: z.string(), reason: z.string() });
export type QueryError = z.output<typeof QueryError>;

/** What can take the place of the term between `start` and `end` (resolved-platform 12.4). */
export const SearchSuggestions = z.object({
  ...place,
  /** What each keeps before the value: negation, key and earlier values. */
  prefix: z.string(),
  suggestions: z.array(z.object({ insert: z.string(), label: z.string(), detail: z.string() })),
});
export type SearchSuggestions = z.output<typeof SearchSuggestions>;

import { savedSearchLimits, searchScopes } from '@svc/domain';
import { z } from 'zod';
import { Flag, Page, PathId, Switch, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { ListCursor } from './operations.ts';

const Scope = z.enum(searchScopes);
const Name = z.string().trim().min(1).max(savedSearchLimits.name);
const Query = z.record(z.string(), z.unknown());
const NewQuery = Query.refine(
  (query) => JSON.stringify(query).length <= savedSearchLimits.query,
  `must be at most ${savedSearchLimits.query} characters of JSON`,
);
/** The same as the JSON text of an object, for forms. */
const QueryText = z
  .string()
  .transform((text, ctx) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      ctx.addIssue('must be a JSON object');
      return z.NEVER;
    }
  })
  .pipe(NewQuery);

/** A search that its owner keeps under a name; no two of a person and scope have the same, whatever the case. */
export const SavedSearch = z.object({
  id: z.number().int(),
  name: z.string(),
  scope: Scope,
  /** What the address of the list holds. */
  query: Query,
  /** Whether all members find it. */
  is_shared: z.boolean(),
  is_own: z.boolean(),
  owner: z.string(),
  updated_at: Timestamp,
  /** When the caller last opened it, as the page of entities says. */
  looked_at: Timestamp.nullable(),
});
export type SavedSearch = z.output<typeof SavedSearch>;

export const savedSearchOperations = {
  listSavedSearches: {
    area: 'jobs',
    method: 'GET',
    path: '/intel/saved-searches',
    summary: 'One’s own saved searches, and those that others share, newest updated first, 50 a page',
    access: 'member',
    query: z.object({
      scope: Scope.default('jobs'),
      page: Page,
      cursor: ListCursor.optional().catch(undefined),
    }),
    success: [200],
    output: z.object({
      searches: z.array(SavedSearch),
      total: z.number().int(),
      page: z.number().int(),
      total_pages: z.number().int(),
      /** Value of `cursor` for the next page and for the one before; null where there is none. */
      older: ListCursor.nullable(),
      newer: ListCursor.nullable(),
    }),
    errors: [],
  },
  saveSearch: {
    area: 'jobs',
    method: 'POST',
    path: '/intel/saved-searches',
    summary: 'Keep a search under a name, in place of one’s own of that name',
    access: 'member',
    body: z.object({
      name: Name,
      scope: Scope.default('jobs'),
      query: NewQuery.optional(),
      query_json: QueryText.optional(),
      is_shared: Flag,
    }),
    success: [200],
    output: SavedSearch,
    errors: ['search_limit'],
  },
  changeSavedSearch: {
    area: 'jobs',
    method: 'POST',
    path: '/intel/saved-searches/{id}',
    summary: 'Rename, replace or share a saved search of one’s own; a shared one also for administrators',
    access: 'member',
    params: PathId,
    body: z.object({
      name: Name.optional(),
      query: NewQuery.optional(),
      query_json: QueryText.optional(),
      is_shared: Switch.optional(),
    }),
    success: [200],
    output: SavedSearch,
    errors: ['not_found', 'forbidden', 'conflict'],
  },
  deleteSavedSearch: {
    area: 'jobs',
    method: 'DELETE',
    path: '/intel/saved-searches/{id}',
    summary: 'Delete a saved search of one’s own; a shared one also for administrators',
    access: 'member',
    params: PathId,
    success: [204],
    output: null,
    errors: ['not_found', 'forbidden'],
  },
  lookAtSearch: {
    area: 'jobs',
    method: 'POST',
    path: '/intel/saved-searches/{id}/look',
    summary: 'Keep that one has looked at what a saved search finds, so that only what comes later is new',
    access: 'member',
    params: PathId,
    success: [204],
    output: null,
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;

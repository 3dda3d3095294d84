import { savedSearchLimits, searchScopes } from '@svc/domain';
import { z } from 'zod';
import { PathId, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';

const Scope = z.enum(searchScopes);
const Query = z.record(z.string(), z.unknown());

/** A search that its owner keeps under a name; no two of a person and scope have the same, whatever the case. */
export const SavedSearch = z.object({
  id: z.number().int(),
  name: z.string(),
  scope: Scope,
  /** What the address of the list holds. */
  query: Query,
  updated_at: Timestamp,
});
export type SavedSearch = z.output<typeof SavedSearch>;

export const savedSearchOperations = {
  listSavedSearches: {
    area: 'jobs',
    method: 'GET',
    path: '/intel/saved-searches',
    summary: 'One’s own saved searches, by name',
    access: 'member',
    query: z.object({ scope: Scope.default('jobs') }),
    success: [200],
    output: z.object({ searches: z.array(SavedSearch) }),
    errors: [],
  },
  saveSearch: {
    area: 'jobs',
    method: 'POST',
    path: '/intel/saved-searches',
    summary: 'Keep a search under a name, in place of one’s own of that name',
    access: 'member',
    body: z.object({
      name: z.string().trim().min(1).max(savedSearchLimits.name),
      scope: Scope.default('jobs'),
      query: Query.refine(
        (query) => JSON.stringify(query).length <= savedSearchLimits.query,
        `must be at most ${savedSearchLimits.query} characters of JSON`,
      ),
    }),
    success: [200],
    output: SavedSearch,
    errors: ['search_limit'],
  },
  deleteSavedSearch: {
    area: 'jobs',
    method: 'DELETE',
    path: '/intel/saved-searches/{id}',
    summary: 'Delete one of one’s own saved searches',
    access: 'member',
    params: PathId,
    success: [204],
    output: null,
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;

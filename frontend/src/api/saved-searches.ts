import { call, operations, type RequestOf, type SavedSearch } from '@svc/contracts';
import type { SearchScope } from '@svc/domain';
import { queryOptions } from '@tanstack/react-query';
import { invalidate } from './query-client.ts';
import { operationQuery, queryKey } from './query-key.ts';

/** What the account keeps of a list, and what others share, newest updated first; for members. */
export function savedSearchesQuery(scope: SearchScope) {
  return queryOptions({
    queryKey: queryKey(operations.listSavedSearches, { scope }),
    queryFn: ({ signal }) => everySavedSearch(scope, { signal }),
  });
}

/** All pages, as what is new in any of them is told, and which names are taken. */
export async function everySavedSearch(
  scope: SearchScope,
  options: Parameters<typeof call>[2] = {},
): Promise<readonly SavedSearch[]> {
  const searches: SavedSearch[] = [];
  for (let cursor: string | undefined; ;) {
    const asked = { scope, ...(cursor !== undefined && { cursor }) };
    const page = await call(operations.listSavedSearches, asked, options);
    searches.push(...page.searches);
    if (page.older === null) return searches;
    cursor = page.older;
  }
}

/** What came since one last looked at a saved search of entities. */
export function searchNewsQuery(id: number) {
  return queryOptions({ ...operationQuery(operations.searchNews, { id }), staleTime: 30_000 });
}

/** Keeps a search under a name. */
export const keepSearch = (search: RequestOf<typeof operations.saveSearch>) =>
  changed(call(operations.saveSearch, search));

export const changeSearch = (change: RequestOf<typeof operations.changeSavedSearch>) =>
  changed(call(operations.changeSavedSearch, change));

export const deleteSearch = (id: number) => changed(call(operations.deleteSavedSearch, { id }));

/** From now on only what comes later is new. */
export const lookAtSearch = (id: number) => changed(call(operations.lookAtSearch, { id }));

async function changed(change: Promise<unknown>): Promise<void> {
  await change;
  await invalidate(queryKey(operations.listSavedSearches), queryKey(operations.searchNews));
}

import { call, operations, type RequestOf } from '@svc/contracts';
import type { SearchScope } from '@svc/domain';
import { queryOptions } from '@tanstack/react-query';
import { reasonOf } from '../ui/states.tsx';
import { invalidate } from './query-client.ts';
import { operationQuery, queryKey } from './query-key.ts';

/** What the account keeps of a list, and what others share; for members. */
export function savedSearchesQuery(scope: SearchScope) {
  return operationQuery(operations.listSavedSearches, { scope });
}

/** What came since one last looked at a saved search of entities. */
export function searchNewsQuery(id: number) {
  return queryOptions({ ...operationQuery(operations.searchNews, { id }), staleTime: 30_000 });
}

/** Keeps a search under a name. */
export function keepSearch(search: RequestOf<typeof operations.saveSearch>): Promise<string | null> {
  return said(call(operations.saveSearch, search));
}

export function changeSearch(change: RequestOf<typeof operations.changeSavedSearch>): Promise<string | null> {
  return said(call(operations.changeSavedSearch, change));
}

export function deleteSearch(id: number): Promise<string | null> {
  return said(call(operations.deleteSavedSearch, { id }));
}

/** From now on only what comes later is new. */
export function lookAtSearch(id: number): Promise<string | null> {
  return said(call(operations.lookAtSearch, { id }));
}

/** What is in the way, or null when it is done. */
async function said(change: Promise<unknown>): Promise<string | null> {
  try {
    await change;
    await invalidate(queryKey(operations.listSavedSearches), queryKey(operations.searchNews));
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

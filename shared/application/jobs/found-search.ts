import { notFound } from '@svc/domain';
import type { FoundSearch, SavedSearchRepository } from './saved-search-repository.ts';

/** A search that this account finds; throws `not_found`, also for one that somebody else keeps to themselves. */
export async function foundSearch(
  searches: Pick<SavedSearchRepository, 'get'>,
  viewerId: string,
  id: number,
): Promise<FoundSearch> {
  const search = await searches.get(viewerId, id);
  if (search === null) throw notFound('saved search');
  return search;
}

import type { SavedSearch as SavedSearchView } from '@svc/contracts';
import { publicName } from '@svc/domain';
import type { FoundSearch } from './saved-search-repository.ts';

/** A saved search as answers show it to this account. */
export function presentSavedSearch(viewerId: string, search: FoundSearch): SavedSearchView {
  return {
    id: search.id,
    name: search.name,
    scope: search.scope,
    query: { ...search.query },
    is_shared: search.isShared,
    is_own: search.owner.id === viewerId,
    owner: publicName(search.owner),
    updated_at: search.updatedAt.toISOString(),
    looked_at: search.lookedAt?.toISOString() ?? null,
  };
}

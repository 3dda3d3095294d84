import type { SavedSearch as SavedSearchView } from '@svc/contracts';
import type { SavedSearch } from '@svc/domain';

/** A saved search as answers show it. */
export function presentSavedSearch({ id, name, scope, query, updatedAt }: SavedSearch): SavedSearchView {
  return { id, name, scope, query: { ...query }, updated_at: updatedAt.toISOString() };
}

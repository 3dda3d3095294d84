import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';
import { readListCursor, writtenListCursor } from './list-cursor.ts';
import { presentSavedSearch } from './present-saved-search.ts';

const per = 50;

/** The searches that the caller keeps, and those that others share, newest updated first (resolved-intel 15). */
export async function listSavedSearches(
  { savedSearches }: Pick<Ports, 'savedSearches'>,
  actor: Actor,
  { scope, page, cursor }: InputOf<typeof operations.listSavedSearches>,
): Promise<OutputOf<typeof operations.listSavedSearches>> {
  const { userId } = signedIn(actor);
  const found = await savedSearches.page(userId, scope, { page, per, cursor: readListCursor(cursor) });
  return {
    searches: found.searches.map((search) => presentSavedSearch(userId, search)),
    total: found.total,
    page: found.page,
    total_pages: Math.max(1, Math.ceil(found.total / per)),
    older: writtenListCursor(found.older),
    newer: writtenListCursor(found.newer),
  };
}

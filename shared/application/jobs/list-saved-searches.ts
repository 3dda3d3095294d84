import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';
import { presentSavedSearch } from './present-saved-search.ts';

/** The searches that the caller keeps, and those that others share, by name. */
export async function listSavedSearches(
  { savedSearches }: Pick<Ports, 'savedSearches'>,
  actor: Actor,
  { scope }: InputOf<typeof operations.listSavedSearches>,
): Promise<OutputOf<typeof operations.listSavedSearches>> {
  const { userId } = signedIn(actor);
  const found = await savedSearches.list(userId, scope);
  return { searches: found.map((search) => presentSavedSearch(userId, search)) };
}

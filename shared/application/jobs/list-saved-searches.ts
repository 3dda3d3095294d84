import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';
import { presentSavedSearch } from './present-saved-search.ts';

/** The searches that the caller keeps, by name. */
export async function listSavedSearches(
  { savedSearches }: Pick<Ports, 'savedSearches'>,
  actor: Actor,
  { scope }: InputOf<typeof operations.listSavedSearches>,
): Promise<OutputOf<typeof operations.listSavedSearches>> {
  return { searches: (await savedSearches.list(signedIn(actor).userId, scope)).map(presentSavedSearch) };
}

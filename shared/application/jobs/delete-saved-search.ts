import type { InputOf, operations } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';

/** Deletes a search that the caller keeps; throws `not_found`, also for one of somebody else. */
export async function deleteSavedSearch(
  { savedSearches }: Pick<Ports, 'savedSearches'>,
  actor: Actor,
  { id }: InputOf<typeof operations.deleteSavedSearch>,
): Promise<void> {
  if (!(await savedSearches.delete(signedIn(actor).userId, id))) throw notFound('saved search');
}

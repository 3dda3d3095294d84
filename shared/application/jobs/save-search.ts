import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, savedSearchLimits, type Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';
import { foundSearch } from './found-search.ts';
import { presentSavedSearch } from './present-saved-search.ts';

type SavePorts = Pick<Ports, 'clock' | 'savedSearches'>;

/**
 * Keeps a search under a name, in place of the caller's own of that name; throws `search_limit` beyond 100. The caller
 * has looked at what it finds.
 */
export async function saveSearch(
  { clock, savedSearches }: SavePorts,
  actor: Actor,
  { name, scope, query_json: asText, query = asText, is_shared: isShared }: InputOf<typeof operations.saveSearch>,
): Promise<OutputOf<typeof operations.saveSearch>> {
  const { userId } = signedIn(actor);
  if (query === undefined) throw new AppError('bad_request', 'query is required');
  const at = clock.now();
  const saved = await savedSearches.save(userId, { name, scope, query, isShared, updatedAt: at });
  if (!saved) {
    throw new AppError(
      'search_limit',
      `You keep ${savedSearchLimits.perPerson} searches, which is the most; delete one of them first`,
    );
  }
  await savedSearches.look(userId, saved.id, at);
  return presentSavedSearch(userId, await foundSearch(savedSearches, userId, saved.id));
}

/** Gives a search of the caller's another name, query or audience (resolved-intel 15). */
export async function changeSavedSearch(
  { clock, savedSearches }: SavePorts,
  actor: Actor,
  { id, name, query_json: asText, query = asText, is_shared: isShared }: InputOf<typeof operations.changeSavedSearch>,
): Promise<OutputOf<typeof operations.changeSavedSearch>> {
  const { userId, role } = signedIn(actor);
  const search = await foundSearch(savedSearches, userId, id);
  if (search.owner.id !== userId && role !== 'admin') throw notTheirs('change');
  const change = {
    ...(name !== undefined && { name }),
    ...(query !== undefined && { query }),
    ...(isShared !== undefined && { isShared }),
    updatedAt: clock.now(),
  };
  if (await savedSearches.change(id, change)) return presentSavedSearch(userId, { ...search, ...change });
  throw new AppError('conflict', `There is another saved search called “${name ?? search.name}”`);
}

/** Deletes a search that the caller keeps, or for administrators one that is shared. */
export async function deleteSavedSearch(
  { savedSearches }: Pick<Ports, 'savedSearches'>,
  actor: Actor,
  { id }: InputOf<typeof operations.deleteSavedSearch>,
): Promise<void> {
  const { userId, role } = signedIn(actor);
  const search = await foundSearch(savedSearches, userId, id);
  if (search.owner.id !== userId && role !== 'admin') throw notTheirs('delete');
  await savedSearches.delete(id);
}

/** Keeps that the caller looks at what a search finds. */
export async function lookAtSearch(
  { clock, savedSearches }: SavePorts,
  actor: Actor,
  { id }: InputOf<typeof operations.lookAtSearch>,
): Promise<void> {
  const { userId } = signedIn(actor);
  await foundSearch(savedSearches, userId, id);
  await savedSearches.look(userId, id, clock.now());
}

function notTheirs(deed: string): AppError {
  return new AppError('forbidden', `Only its owner and administrators may ${deed} a shared search`);
}

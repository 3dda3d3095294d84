import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, savedSearchLimits, type Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';
import { presentSavedSearch } from './present-saved-search.ts';

/** Keeps a search under a name, in place of the caller's own of that name; throws `search_limit` beyond 100. */
export async function saveSearch(
  { clock, savedSearches }: Pick<Ports, 'clock' | 'savedSearches'>,
  actor: Actor,
  { name, scope, query }: InputOf<typeof operations.saveSearch>,
): Promise<OutputOf<typeof operations.saveSearch>> {
  const search = { name, scope, query, updatedAt: clock.now() };
  const saved = await savedSearches.save(signedIn(actor).userId, search);
  if (saved) return presentSavedSearch(saved);
  throw new AppError(
    'search_limit',
    `You keep ${savedSearchLimits.perPerson} searches, which is the most; delete one of them first`,
  );
}

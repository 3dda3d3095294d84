import type { operations, OutputOf } from '@svc/contracts';
import { AppError, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { presentMe } from './present-user.ts';

/** The signed-in account. */
export async function getMe(
  { accounts }: Pick<Ports, 'accounts'>,
  actor: Actor,
): Promise<OutputOf<typeof operations.getMe>> {
  const account = actor.kind === 'account' ? await accounts.get(actor.userId) : null;
  if (!account) throw new AppError('unauthenticated', 'Not signed in');
  return presentMe(account);
}

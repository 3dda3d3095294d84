import type { operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { presentMe } from './present-user.ts';

/** The signed-in account, or null for a visitor: what a page asks before it knows which of them it serves. */
export async function getSession(
  { accounts }: Pick<Ports, 'accounts'>,
  actor: Actor,
): Promise<OutputOf<typeof operations.getSession>> {
  const account = actor.kind === 'account' ? await accounts.get(actor.userId) : null;
  return { account: account && presentMe(account) };
}

import { publicName, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** What everybody may call the actor. */
export async function nameOf({ accounts }: Pick<Ports, 'accounts'>, actor: Actor): Promise<string> {
  const account = actor.kind === 'account' ? await accounts.get(actor.userId) : null;
  return account ? publicName(account) : 'Somebody';
}

import { publicName, summaryOf, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** What watchers of a job are told of a comment of the actor's: by whom it is, and how it begins. */
export async function commentSummary(
  { accounts }: Pick<Ports, 'accounts'>,
  actor: Actor,
  body: string,
): Promise<string> {
  const account = actor.kind === 'account' ? await accounts.get(actor.userId) : null;
  return summaryOf(`${account ? publicName(account) : 'Somebody'}: ${body}`);
}

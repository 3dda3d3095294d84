import type { operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { presentMe } from './present-user.ts';

/**
 * The signed-in account, or null for a visitor: what a page asks before it knows which of them it serves. With it comes
 * what stands on top of every page, for which there is no request of its own.
 */
export async function getSession(
  { accounts, settings }: Pick<Ports, 'accounts' | 'settings'>,
  actor: Actor,
): Promise<OutputOf<typeof operations.getSession>> {
  const [account, { bannerMarking: marking, bannerText: text }] = await Promise.all([
    actor.kind === 'account' ? accounts.get(actor.userId) : null,
    settings.current(),
  ]);
  const banner = marking === '' && text === '' ? null : { marking, text };
  return { account: account && presentMe(account), banner };
}

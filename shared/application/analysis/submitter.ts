import { networkOf } from '@svc/domain';
import { createHash } from 'node:crypto';

/**
 * Key of who takes turns in the queue: an account, or the network that a visitor comes from. It is so short that some
 * two hundred addresses share each, so it tells nobody's; two submitters with the same key take turns as one.
 */
export function submitterKey(account: string | null, address: string): string {
  const name = account === null ? `address ${networkOf(address)}` : `account ${account}`;
  return createHash('sha256').update(name).digest('hex').slice(0, 6);
}

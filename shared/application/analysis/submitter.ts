import { networkOf } from '@svc/domain';
import { createHash } from 'node:crypto';

/**
 * Who takes turns in the queue with others: an account, or the network that a visitor comes from. So short that it tells
 * nobody's address, which some two hundred others share; that two share one only makes them take turns as one.
 */
export function submitterKey(account: string | null, address: string): string {
  const name = account === null ? `address ${networkOf(address)}` : `account ${account}`;
  return createHash('sha256').update(name).digest('hex').slice(0, 6);
}

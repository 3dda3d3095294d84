import { createHash } from 'node:crypto';
import type { Account } from '@svc/domain';

/** Short digest of the current password hash, carried by sessions (resolved-platform 14.2). */
export function passwordVersion(account: Account): string {
  return createHash('sha256').update(account.passwordHash).digest('base64url').slice(0, 16);
}

import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { passwordVersion } from './password-version.ts';

/**
 * Who a request comes from: the account of a valid session, else an anonymous visitor. A session
 * ends with its account's deactivation and with any change of its password.
 */
export async function resolveSession(
  { accounts, sessions }: Pick<Ports, 'accounts' | 'sessions'>,
  request: { token: string | null; ip: string },
): Promise<Actor> {
  const anonymous: Actor = { kind: 'anonymous', ip: request.ip };
  const claims = request.token === null ? null : await sessions.verify(request.token);
  const account = claims === null ? null : await accounts.get(claims.accountId);
  if (!account?.isActive || claims?.passwordVersion !== passwordVersion(account)) return anonymous;
  return { kind: 'account', userId: account.id, email: account.email, role: account.role, ip: request.ip };
}

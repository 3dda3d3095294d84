import type { Actor } from '@svc/domain';
import { sessionId, type SessionPorts } from './open-session.ts';
import { passwordVersion } from './password-version.ts';

/** How exactly it is known when a session was used. */
const usedMs = 300_000;
/** How long a password counts as just given. */
export const confirmedMs = 900_000;

/**
 * Who a request comes from: the account of a session that goes on, else an anonymous visitor. A session
 * ends with its account's deactivation and with any change of its password or role.
 */
export async function resolveSession(
  ports: SessionPorts,
  request: { token: string | null; ip: string },
): Promise<Actor> {
  const anonymous: Actor = { kind: 'anonymous', ip: request.ip };
  const claims = request.token === null ? null : await ports.sessions.verify(request.token);
  const found = claims && (await ports.sessionStore.find(sessionId(claims.secret)));
  if (!found) return anonymous;
  const { session, account } = found;
  const isSame = claims.accountId === account.id && claims.passwordVersion === passwordVersion(account);
  if (!isSame || !account.isActive) return anonymous;
  const now = ports.clock.now();
  if (now.getTime() - session.lastUsedAt.getTime() >= usedMs)
    await ports.sessionStore.note(session.id, { lastUsedAt: now });
  const isConfirmed = now.getTime() - session.confirmedAt.getTime() < confirmedMs;
  const { id: userId, email, role } = account;
  return { kind: 'account', userId, email, role, ip: request.ip, session: { id: session.id, isConfirmed } };
}

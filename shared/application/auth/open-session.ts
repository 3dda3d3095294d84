import type { Account } from '@svc/domain';
import { createHash, randomBytes } from 'node:crypto';
import type { Ports } from '../ports/ports.ts';
import { sessionSeconds } from '../ports/sessions.ts';
import { clientName } from './client-name.ts';
import { passwordVersion } from './password-version.ts';
import { shownNetwork } from './shown-network.ts';

/** Of one account; scripts that never sign out leave many. */
const mostSessions = 1000;

export type SessionPorts = Pick<Ports, 'clock' | 'sessions' | 'sessionStore'>;

/** Where a session is opened from. */
export interface Browser {
  readonly ip: string;
  readonly userAgent: string | undefined;
}

/** Begins a session of an account whose password was just given; its token. */
export async function openSession(
  { clock, sessions, sessionStore }: SessionPorts,
  account: Account,
  { ip, userAgent }: Browser,
): Promise<string> {
  const secret = randomBytes(16).toString('base64url');
  const [now, client, network] = [clock.now(), clientName(userAgent), shownNetwork(ip)];
  const times = { createdAt: now, lastUsedAt: now, confirmedAt: now };
  const session = { id: sessionId(secret), accountId: account.id, ...times, client, network };
  await sessionStore.create(session, mostSessions);
  return sessions.issue({ accountId: account.id, passwordVersion: passwordVersion(account), secret });
}

/** The id that a session is stored and listed under; no token can be made from it. */
export function sessionId(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 32);
}

/** When the oldest session that is still good began. */
export function oldestSession({ clock }: Pick<Ports, 'clock'>): Date {
  return new Date(clock.now().getTime() - sessionSeconds * 1000);
}

import type { operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { sessionSeconds } from '../ports/sessions.ts';
import { oldestSession } from './open-session.ts';
import { signedIn } from './signed-in.ts';

/** Where one is signed in, the last used first. */
export async function listSessions(
  ports: Pick<Ports, 'clock' | 'sessionStore'>,
  actor: Actor,
): Promise<OutputOf<typeof operations.listSessions>> {
  const { userId, session: own } = signedIn(actor);
  const found = await ports.sessionStore.list(userId, oldestSession(ports));
  return {
    sessions: found.map(({ id, client, network, createdAt, lastUsedAt }) => ({
      id,
      is_current: id === own?.id,
      client,
      network,
      created_at: createdAt.toISOString(),
      last_used_at: lastUsedAt.toISOString(),
      expires_at: new Date(createdAt.getTime() + sessionSeconds * 1000).toISOString(),
    })),
  };
}

import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { oldestSession } from './open-session.ts';
import { signedIn } from './signed-in.ts';

/** Signs one of one's own browsers out, wherever it is. */
export async function endSession(
  { sessionStore }: Pick<Ports, 'sessionStore'>,
  actor: Actor,
  { id }: InputOf<typeof operations.endSession>,
): Promise<void> {
  if (!(await sessionStore.end(signedIn(actor).userId, id))) throw notFound('session');
}

/** Signs all of one's own browsers out but this one. */
export async function endOtherSessions(
  { sessionStore }: Pick<Ports, 'sessionStore'>,
  actor: Actor,
): Promise<OutputOf<typeof operations.endOtherSessions>> {
  const { userId, session } = signedIn(actor);
  return { ended: await sessionStore.endOthers(userId, session?.id ?? '') };
}

/** Forgets sessions whose day is over. Returns how many. */
export function removeExpiredSessions(ports: Pick<Ports, 'clock' | 'sessionStore'>): Promise<number> {
  return ports.sessionStore.removeExpired(oldestSession(ports));
}

import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** Ends the caller's session, so that a copy of its cookie is of no use either. */
export async function logout({ sessionStore }: Pick<Ports, 'sessionStore'>, actor: Actor): Promise<void> {
  if (actor.kind === 'account' && actor.session) await sessionStore.end(actor.userId, actor.session.id);
}

import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import { countNotifications } from './count-notifications.ts';
import { sourcesOf, type NotificationPorts } from './sources.ts';

/** Takes an acknowledgement of the actor's back: what was acknowledged at that moment waits again. */
export async function restoreNotifications(
  ports: NotificationPorts,
  actor: Actor,
  { acknowledged_at: at }: InputOf<typeof operations.restoreNotifications>,
): Promise<OutputOf<typeof operations.restoreNotifications>> {
  const { userId } = signedIn(actor);
  for (const source of Object.values(sourcesOf(ports))) await source.restore(userId, new Date(at));
  return countNotifications(ports, actor);
}

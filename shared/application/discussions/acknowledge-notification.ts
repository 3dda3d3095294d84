import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';
import { countNotifications } from './count-notifications.ts';
import { sourcesOf, type NotificationPorts } from './sources.ts';

/** Acknowledges one notification of the actor's; throws `not_found` when it is another's. */
export async function acknowledgeNotification(
  ports: NotificationPorts & Pick<Ports, 'clock'>,
  actor: Actor,
  { stream, id }: InputOf<typeof operations.acknowledgeNotification>,
): Promise<OutputOf<typeof operations.acknowledgeNotification>> {
  const { userId } = signedIn(actor);
  const at = ports.clock.now();
  const acknowledged = await sourcesOf(ports)[stream].acknowledge(userId, id, at);
  if (!acknowledged) throw notFound('notification');
  return { ...(await countNotifications(ports, actor)), acknowledged_at: at.toISOString() };
}

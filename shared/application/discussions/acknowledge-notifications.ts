import type { operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';
import { countNotifications } from './count-notifications.ts';
import { sourcesOf, type NotificationPorts } from './sources.ts';

/** Acknowledges all notifications of the actor, of every stream. */
export async function acknowledgeNotifications(
  ports: NotificationPorts & Pick<Ports, 'clock'>,
  actor: Actor,
): Promise<OutputOf<typeof operations.acknowledgeNotifications>> {
  const { userId } = signedIn(actor);
  const at = ports.clock.now();
  for (const source of Object.values(sourcesOf(ports))) await source.acknowledge(userId, null, at);
  return { ...(await countNotifications(ports, actor)), acknowledged_at: at.toISOString() };
}

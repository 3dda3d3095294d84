import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import { countNotifications } from './count-notifications.ts';
import type { NotificationPorts } from './sources.ts';
import type { Ports } from '../ports/ports.ts';

/** Acknowledges what the actor was told of one job, seen or not. */
export async function acknowledgeWatchedJob(
  ports: NotificationPorts & Pick<Ports, 'clock'>,
  actor: Actor,
  { id }: InputOf<typeof operations.acknowledgeWatchedJob>,
): Promise<OutputOf<typeof operations.acknowledgeWatchedJob>> {
  const { userId } = signedIn(actor);
  await ports.watchEvents.acknowledgeJob(userId, id, ports.clock.now());
  return countNotifications(ports, actor);
}

import type { operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { sourcesOf, type NotificationPorts } from './sources.ts';

/** How many notifications wait for the actor, over all streams. */
export async function countNotifications(
  ports: NotificationPorts,
  actor: Actor,
): Promise<OutputOf<typeof operations.countNotifications>> {
  const counts = await Promise.all(Object.values(sourcesOf(ports)).map((source) => source.unread(actor)));
  return { unread: counts.reduce((sum, count) => sum + count, 0) };
}

import type { NotificationItem, operations, OutputOf } from '@svc/contracts';
import { fallbackName, type Actor } from '@svc/domain';
import type { Notification } from './notification-source.ts';
import { sourcesOf, type NotificationPorts } from './sources.ts';

const shown = 25;

/** The newest notifications that wait for the actor, of all streams (resolved-platform 13.4). */
export async function listNotifications(
  ports: NotificationPorts,
  actor: Actor,
): Promise<OutputOf<typeof operations.listNotifications>> {
  const found = await Promise.all(Object.values(sourcesOf(ports)).map((source) => source.newest(actor, shown)));
  const newest = found.flat().sort((a, b) => b.at.getTime() - a.at.getTime() || b.id - a.id);
  return { items: newest.slice(0, shown).map(toItem) };
}

function toItem({
  stream,
  id,
  at,
  jobId,
  fileName,
  sha256 = '',
  case: about,
  rule,
  entity,
  event,
}: Notification): NotificationItem {
  return {
    stream,
    id,
    at: at.toISOString(),
    ...(jobId !== undefined && { job: { id: jobId, filename: fileName ?? fallbackName(sha256) } }),
    ...(about && { case: about }),
    ...(rule && { rule }),
    ...(entity && { entity }),
    ...(event && { kind: event.kind, summary: event.summary }),
    ...(event?.kind === 'comment' && { comment_id: event.refId }),
    ...(event?.kind === 'ai' && { run_id: event.refId }),
  };
}

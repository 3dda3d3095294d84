import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { eventsTimeline } from './shown/events-timeline.ts';
import { requirePanel } from '../system/panels.ts';
import { visibleJob } from '../jobs/visible-job.ts';

/** Alerts of a job in a window of time, no more of them than a page can draw (resolved-platform 8.4). */
export async function getEventsTimeline(
  { derivations, jobViews, settings }: Pick<Ports, 'derivations' | 'jobViews' | 'settings'>,
  actor: Actor,
  { id, ...query }: InputOf<typeof operations.getEventsTimeline>,
): Promise<OutputOf<typeof operations.getEventsTimeline>> {
  const [, site] = await Promise.all([visibleJob({ jobViews }, actor, id), settings.current()]);
  requirePanel(site, 'alert_timeline');
  return eventsTimeline([{ jobId: id, index: await derivations.alerts(id), clockOffset: 0 }], query);
}

import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { eventsTimeline } from '../report/shown/events-timeline.ts';
import { requirePanel } from '../system/panels.ts';
import { visibleMembers } from './visible-members.ts';

/** Alerts of all jobs of a case that the actor sees, on one line of time (resolved-platform 8.4). */
export async function getCaseEvents(
  ports: Pick<Ports, 'cases' | 'caseTimelines' | 'settings'>,
  actor: Actor,
  { id, job_id: job, ...query }: InputOf<typeof operations.getCaseEvents>,
): Promise<OutputOf<typeof operations.getCaseEvents>> {
  const { members } = await visibleMembers(ports, actor, { id, job });
  requirePanel(await ports.settings.current(), 'alert_timeline');
  const indexes = await ports.caseTimelines.alerts(members.map(({ jobId }) => jobId));
  const jobs = members.map(({ jobId, clockOffset }) => ({ jobId, clockOffset, index: indexes.get(jobId) ?? null }));
  return eventsTimeline(jobs, { ...query, job });
}

import type { CaseTimelineJob, InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, onCaseClock, type Actor } from '@svc/domain';
import type { AlertColumns, JobAnalytics } from '../report/derivation-repository.ts';
import type { Ports } from '../ports/ports.ts';
import { timelineOf } from '../report/shown/analytics.ts';
import { panelsOf, requirePanel } from '../system/panels.ts';
import type { MemberJob } from './case-timelines.ts';
import { keyEvents } from './key-events.ts';
import { MergedHours, type AlertsAsked } from './merged-hours.ts';
import { visibleMembers } from './visible-members.ts';

type TimelinePorts = Pick<Ports, 'caseFindings' | 'cases' | 'caseTimelines' | 'findings' | 'settings'>;

/** Matches of a case by hour, and its first events (resolved-intel 16.4). */
export async function getCaseTimeline(
  ports: TimelinePorts,
  actor: Actor,
  { id, job_id: job, severity: severities = [], entity_id: entity }: InputOf<typeof operations.getCaseTimeline>,
): Promise<OutputOf<typeof operations.getCaseTimeline>> {
  const { members } = await visibleMembers(ports, actor, { id, job });
  const asked = members.filter(({ jobId }) => job === undefined || jobId === job);
  const ids = asked.map(({ jobId }) => jobId);
  const findings = entity === undefined ? null : await ports.caseFindings.naming(id, entity, ids);
  if (entity !== undefined && findings === null) throw notFound('entity in this case');
  const site = await ports.settings.current();
  requirePanel(site, 'alert_timeline');
  const narrowed = { severities, findings };
  const [hours, indexes] = await Promise.all([ports.caseTimelines.hours(ids), ports.caseTimelines.alerts(ids)]);
  const merged = new MergedHours();
  const jobs = asked.map((member) => {
    const stored = { hours: hours.get(member.jobId), index: indexes.get(member.jobId) };
    const matches = addTo(merged, { member, ...stored }, narrowed);
    return { ...toJob(member, stored.index), covered: matches !== null, matches: matches ?? 0 };
  });
  const { events, total } = await keyEvents(ports, asked, { ...narrowed, caseId: id });
  return {
    covered: jobs.filter(({ covered }) => covered).length,
    total: asked.length,
    jobs,
    ...(panelsOf(site).event_timeline && timelineOf(merged.hours())),
    key_events: events,
    key_events_total: total,
  };
}

interface Stored {
  readonly member: MemberJob;
  readonly hours: JobAnalytics['hours'] | undefined;
  readonly index: AlertColumns | undefined;
}

/** Adds stored hours, which are always exact, where they can tell what is asked; null where nothing stored can. */
function addTo(merged: MergedHours, { member, hours, index }: Stored, asked: AlertsAsked): number | null {
  const isNarrowed = asked.severities.length > 0 || asked.findings !== null;
  const needsSeconds = member.clockOffset % 3600 !== 0;
  const exact = index !== undefined && (isNarrowed || needsSeconds) ? merged.addIndexed(index, asked, member) : null;
  if (exact !== null || isNarrowed) return exact;
  return hours === undefined ? null : merged.addStored(hours, member);
}

function toJob(member: MemberJob, index: AlertColumns | undefined): Omit<CaseTimelineJob, 'covered' | 'matches'> {
  const timeAt = (seconds: number | undefined): string | null =>
    seconds === undefined ? null : new Date(onCaseClock(seconds * 1000, member)).toISOString();
  return {
    id: member.jobId,
    filename: member.fileName,
    status: member.status,
    clock_offset: member.clockOffset,
    first: timeAt(index?.ts[0]),
    last: timeAt(index?.ts[index.ts.length - 1]),
  };
}

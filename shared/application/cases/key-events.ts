import type { CaseEvent } from '@svc/contracts';
import { onCaseClock, otherTactic, tacticsOf } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { StoredEvent } from '../report/new-finding.ts';
import type { FindingMark } from './case-findings.ts';
import type { MemberJob } from './case-timelines.ts';
import type { AlertsAsked } from './merged-hours.ts';

const mostEvents = 200;
/** Findings whose events are read at a time. */
const atOnce = 50;

interface TimedEvent {
  readonly at: number;
  readonly mark: FindingMark;
  readonly event: StoredEvent;
}

/**
 * The first sample events of all findings, in order of time and the undated last (resolved-platform 8.4), and how many
 * there are. Findings are read by their first match, so that reading ends once no later one can have an earlier event.
 */
export async function keyEvents(
  { caseFindings, findings }: Pick<Ports, 'caseFindings' | 'findings'>,
  members: readonly MemberJob[],
  asked: AlertsAsked & { readonly caseId: number },
): Promise<{ readonly events: CaseEvent[]; readonly total: number }> {
  const byJob = new Map(members.map((member) => [member.jobId, member]));
  const marks = (await caseFindings.marks(asked.caseId, [...byJob.keys()])).filter((mark) => isWanted(mark, asked));
  const firsts = marks
    .map((mark) => ({ mark, first: momentOf(mark.firstSeen, byJob.get(mark.jobId)!) }))
    .sort((a, b) => inTime(a.first, b.first) || a.mark.id - b.mark.id);
  let read: TimedEvent[] = [];
  for (let at = 0; at < firsts.length; at += atOnce) {
    if (read.length === mostEvents && !(firsts[at]!.first < read.at(-1)!.at)) break;
    const batch = firsts.slice(at, at + atOnce).map(({ mark }) => mark);
    const events = await findings.eventsOf(batch.map(({ id }) => id));
    const timed = batch.flatMap((mark) =>
      (events.get(mark.id) ?? []).map((event) => ({
        at: momentOf(event.timestamp, byJob.get(mark.jobId)!),
        mark,
        event,
      })),
    );
    read = [...read, ...timed].sort((a, b) => inTime(a.at, b.at) || a.mark.id - b.mark.id).slice(0, mostEvents);
  }
  return { events: read.map(toCaseEvent), total: marks.reduce((sum, { kept }) => sum + kept, 0) };
}

function isWanted({ id, severity, kept }: FindingMark, { severities, findings }: AlertsAsked): boolean {
  return (
    kept > 0 && (severities.length === 0 || severities.includes(severity)) && (findings === null || findings.has(id))
  );
}

/** Infinite where there is no time that can be read. */
function momentOf(time: string | null, member: MemberJob): number {
  const at = time === null ? Number.NaN : Date.parse(time);
  return Number.isNaN(at) ? Number.POSITIVE_INFINITY : onCaseClock(at, member);
}

function inTime(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function toCaseEvent({ at, mark, event }: TimedEvent): CaseEvent {
  return {
    time: at === Number.POSITIVE_INFINITY ? null : new Date(at).toISOString(),
    logged: event.timestamp,
    job_id: mark.jobId,
    finding_id: mark.id,
    rule_name: mark.ruleName,
    severity: mark.severity,
    grouping: tacticsOf(mark.tags)[0] ?? otherTactic,
    computer: event.computer,
    channel: event.channel,
    event_id: event.eventId,
    record_id: event.recordId,
  };
}

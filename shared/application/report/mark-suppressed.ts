import { isInForce, meetsConditions, type Finding, type Suppression } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { BackgroundTask } from '../work/background-task-repository.ts';
import { queueBackgroundTask } from '../work/request-background-task.ts';
import { keptEvidence, type EvidencePorts } from './finding-evidence.ts';
import { matchedEvents } from './shown/matched-lines.ts';
import type { AskedSuppression, SuppressedMatches } from './suppression-repository.ts';

type KeptPorts = Pick<EvidencePorts, 'findings' | 'jobs' | 'objects' | 'rawOutputs' | 'ruleTester'>;
export type MarkPorts = KeptPorts & Pick<Ports, 'clock' | 'suppressedFindings' | 'transaction'>;

/** Jobs between two signs of life, and how long one turn takes at most. */
const [jobsAtOnce, mostMs] = [50, 120_000];

/** Marks the findings of a job, whose tasks have ended, by what is suppressed here; what cannot be told counts. */
export async function markSuppressed(ports: MarkPorts, jobId: number): Promise<void> {
  const inForce = await ports.suppressedFindings.inForce(jobId, ports.clock.now());
  if (inForce.length > 0) await markRules(ports, jobId, [...new Set(inForce.map(({ ruleId }) => ruleId))], inForce);
}

async function markRules(
  ports: MarkPorts,
  jobId: number,
  ruleIds: readonly string[],
  inForce: readonly Suppression[],
): Promise<void> {
  const findings = await ports.suppressedFindings.ofRules(jobId, ruleIds);
  const marks: { id: number; by: readonly SuppressedMatches[] | null }[] = [];
  for (const finding of findings) {
    const ofRule = inForce.filter(({ ruleId }) => ruleId === finding.ruleId);
    marks.push({ id: finding.id, by: await suppressedOf(ports, finding, ofRule) });
  }
  if (marks.length === 0) return;
  const inForceIds = inForce.map(({ id }) => id);
  await ports.transaction(async (tx) => {
    if ((await tx.jobs.hold([jobId])).length === 0) return;
    for (const { id, by } of marks) {
      // Events may have been kept when it was marked, and be gone by now.
      if (by === null) await tx.suppressedFindings.keep(id, inForceIds);
      else await tx.suppressedFindings.mark(id, by);
    }
    await tx.suppressedFindings.noteEntities(marks.map(({ id }) => id));
    await tx.jobs.recount(jobId, await tx.results.totals(jobId));
    await tx.reviews.recount(jobId);
    const inCases = await tx.cases.ofJob(jobId);
    if (inCases.length > 0) await tx.cases.recount(inCases);
  });
}

/**
 * How many matches of a finding each suppresses, those before it in the list first; null where that cannot be told, since
 * conditions ask for events that were not kept.
 */
export async function suppressedOf(
  ports: KeptPorts,
  finding: Finding,
  suppressions: readonly AskedSuppression[],
): Promise<readonly SuppressedMatches[] | null> {
  const [first] = suppressions;
  if (first === undefined) return [];
  if (suppressions.length === 1 && takesAll(first, finding)) return [{ suppression: first, events: finding.count }];
  const counts = new Map<AskedSuppression, number>();
  const events = await allEvents(ports, finding);
  if (events === null) {
    // All of the same host, or of a rule as a whole, needs no events.
    const whole = suppressions.filter((one) => takesAll(one, finding));
    return whole.length === 0
      ? null
      : firstOfEach(whole).map((suppression) => ({ suppression, events: finding.count }));
  }
  for await (const batch of events) {
    for (const matched of batch) {
      const meeting = suppressions.filter(({ conditions }) => meetsConditions(conditions, matched.event()));
      for (const one of firstOfEach(meeting)) counts.set(one, (counts.get(one) ?? 0) + 1);
    }
  }
  return [...counts].map(([suppression, many]) => ({ suppression, events: many }));
}

/** A match is suppressed once: by the first of the instance or, where there is none, by the first of each case. */
function firstOfEach(suppressions: readonly AskedSuppression[]): readonly AskedSuppression[] {
  const ofInstance = suppressions.find(({ caseId }) => caseId === null);
  if (ofInstance !== undefined) return [ofInstance];
  return suppressions.filter((one, at) => suppressions.findIndex(({ caseId }) => caseId === one.caseId) === at);
}

/** Whether it is told without any event that all matches meet the conditions. */
function takesAll({ conditions }: AskedSuppression, { hosts }: Finding): boolean {
  return conditions.every(
    ({ field, ...condition }) =>
      field === 'Computer' &&
      hosts !== null &&
      hosts.length > 0 &&
      hosts.every((computer) =>
        meetsConditions([{ field, ...condition }], { computer, channel: null, eventId: null, fields: {} }),
      ),
  );
}

/** Samples are read at once; the raw output is gone through, however many there are. */
async function allEvents(ports: KeptPorts, finding: Finding) {
  const samples = await ports.findings.events(finding.id);
  if (samples.length >= finding.count) return [matchedEvents(samples)];
  const { complete, batches } = await keptEvidence(ports, finding);
  return complete ? batches() : null;
}

/**
 * What the task of a suppression does: marks the findings of all jobs that it asks for, or of one that has ended takes its
 * marks away; null when more is to be done.
 */
export async function applySuppression(
  ports: MarkPorts & Pick<Ports, 'backgroundTasks' | 'suppressions'>,
  { id: taskId, targetId, cursor }: BackgroundTask,
  stop: AbortSignal,
): Promise<string | null> {
  const { backgroundTasks, clock, suppressedFindings, suppressions } = ports;
  const startedAt = clock.now().getTime();
  let after = cursor ?? 0;
  while (clock.now().getTime() - startedAt < mostMs) {
    const now = clock.now();
    const suppression = await suppressions.get(targetId ?? 0);
    if (suppression === null) return 'it is gone';
    const jobIds = await suppressedFindings.jobsAfter(suppression, after, jobsAtOnce, now);
    if (jobIds.length === 0) {
      await suppressions.settle(suppression, now);
      return isInForce(suppression, now) ? 'all findings are marked' : 'no finding is marked any more';
    }
    for (const jobId of jobIds) {
      stop.throwIfAborted();
      await markRules(ports, jobId, [suppression.ruleId], await suppressedFindings.inForce(jobId, now));
      after = jobId;
    }
    const detail = `done up to job ${after}`;
    if (!(await backgroundTasks.progress(taskId, { cursor: after, detail }, clock.now()))) return detail;
  }
  return null;
}

/** Has all applied that are to be: new ones, those whose time is over, and those of cases with new jobs; how many. */
export async function applyDueSuppressions({
  backgroundTasks,
  clock,
  suppressions,
  tasks,
}: Pick<Ports, 'backgroundTasks' | 'clock' | 'suppressions' | 'tasks'>): Promise<number> {
  const due = await suppressions.due(clock.now());
  for (const targetId of due) {
    const task = { kind: 'apply_suppression', targetId, requestedBy: '' } as const;
    const { id } = await backgroundTasks.request(task, clock.now());
    await queueBackgroundTask({ tasks }, { ...task, id });
  }
  return due.length;
}

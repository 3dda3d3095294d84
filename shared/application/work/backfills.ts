import type { BackfillKind } from '@svc/contracts/tasks.ts';
import { tagEntitiesAfter } from '../alerts/backfill-labels.ts';
import { deriveAgain, type DerivePorts } from '../analysis/derive-again.ts';
import { sideBySide } from '../analysis/side-by-side.ts';
import { asItIsNow, describing } from '../intel/describe-entities.ts';
import { readAgain, type ReadAgainPorts } from '../intel/read-again.ts';
import { storedAtOnce, storeMany, type StoreIntelPorts } from '../intel/store-intel.ts';
import type { Ports } from '../ports/ports.ts';
import { backfillDigestsUnder, type DigestPorts } from './backfill-digests.ts';
import type { BackgroundTask } from './background-task-repository.ts';

export type BackfillPorts = DerivePorts &
  DigestPorts &
  ReadAgainPorts &
  StoreIntelPorts &
  Pick<Ports, 'backgroundTasks'>;

/** One batch: does what follows a number, and returns the last that it has done; null when nothing follows. */
type Step = (ports: BackfillPorts, after: number, stop: AbortSignal) => Promise<number | null>;

interface Backfill {
  readonly over: 'entity' | 'file' | 'job';
  readonly step: Step;
}

/** What is left after this is done by another turn, so that others have theirs. */
const mostMs = 120_000;
const jobsAtOnce = 100;
/** Jobs that are derived again at the same time: each waits for its objects and statements most of the time. */
const derivedAtOnce = 4;
/** A batch ends after this, however few jobs it had: that is when a cancel takes effect. */
const batchMs = 10_000;
const entitiesAtOnce = 500;

const backfills: Readonly<Record<BackfillKind, Backfill>> = {
  backfill_similarity: {
    over: 'file',
    // The newest first, as the periodic task has them.
    step: async (ports, after) => (await backfillDigestsUnder(ports, after === 0 ? null : after)).last,
  },
  backfill_analytics: { over: 'job', step: deriveSome },
  backfill_entities: { over: 'job', step: storeSome },
  // All of a job is stored at once, so that what is stored of it belongs together.
  backfill_finding_entity_links: { over: 'job', step: storeSome },
  backfill_relationships: { over: 'job', step: readAndStoreSome },
  backfill_entity_attributes: {
    over: 'entity',
    step: async ({ intel, reportConfig }, after) =>
      intel.describeAfter(after, entitiesAtOnce, await describing(reportConfig)),
  },
  backfill_builtin_labels: {
    over: 'entity',
    step: (ports, after) => tagEntitiesAfter(ports, after, entitiesAtOnce),
  },
};

/**
 * Goes over all that there is, from where an earlier turn has ended, until it is done or cancelled; the sentence that it
 * ends with, null when more is to be done. Doing it again leaves the same.
 */
export async function backfill(ports: BackfillPorts, task: BackgroundTask, stop: AbortSignal): Promise<string | null> {
  const { backgroundTasks, clock } = ports;
  const { over, step } = backfills[task.kind as BackfillKind];
  const during = { ...ports, reportConfig: asItIsNow(ports.reportConfig) };
  const startedAt = clock.now().getTime();
  let cursor = task.cursor ?? 0;
  while (clock.now().getTime() - startedAt < mostMs) {
    const last = await step(during, cursor, stop);
    if (last === null) return cursor === 0 ? 'there was nothing to do' : `done to the last, ${over} ${cursor}`;
    cursor = last;
    const detail = `done up to ${over} ${cursor}`;
    if (!(await backgroundTasks.progress(task.id, { cursor, detail }, clock.now()))) return detail;
  }
  return null;
}

async function storeSome(ports: BackfillPorts, after: number, stop: AbortSignal): Promise<number | null> {
  const jobs = await ports.intel.jobsAfter(after, storedAtOnce);
  if (jobs.length > 0) await storeMany(ports, jobs, stop);
  return jobs.at(-1) ?? null;
}

async function readAndStoreSome(ports: BackfillPorts, after: number, stop: AbortSignal): Promise<number | null> {
  const jobs = await ports.intel.jobsAfter(after, storedAtOnce);
  const unread = await ports.intel.unread(jobs);
  const read = await eachInTime(ports, unread, (jobId) => readAgain(ports, jobId, stop), { slots: 1, stop });
  // Those from the first on that is still to be read are for the next batch.
  const until = unread[read] ?? Number.POSITIVE_INFINITY;
  const ready = jobs.filter((jobId) => jobId < until);
  if (ready.length > 0) await storeMany(ports, ready, stop);
  return ready.at(-1) ?? null;
}

async function deriveSome(ports: BackfillPorts, after: number, stop: AbortSignal): Promise<number | null> {
  const jobs = await ports.intel.jobsAfter(after, jobsAtOnce);
  const done = await eachInTime(ports, jobs, (jobId) => deriveAgain(ports, jobId), { slots: derivedAtOnce, stop });
  return jobs[done - 1] ?? null;
}

/** One that cannot be done keeps no other from its turn. How many of the first there was time for, one at least. */
async function eachInTime(
  { clock, log }: BackfillPorts,
  jobs: readonly number[],
  work: (jobId: number) => Promise<unknown>,
  { slots, stop }: { readonly slots: number; readonly stop: AbortSignal },
): Promise<number> {
  const until = clock.now().getTime() + batchMs;
  const tasks = jobs.map((jobId, place) => async () => {
    if (place > 0 && clock.now().getTime() >= until) return false;
    await work(jobId).catch((error: unknown) => {
      stop.throwIfAborted();
      log.warn('a job was left out of a backfill', { job_id: jobId, error });
    });
    return true;
  });
  return (await sideBySide(tasks, slots, stop)).filter(Boolean).length;
}

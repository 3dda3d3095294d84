import type { BackfillKind } from '@svc/contracts/tasks.ts';
import { tagEntitiesAfter } from '../alerts/backfill-labels.ts';
import { deriveAgain, type DerivePorts } from '../analysis/derive-again.ts';
import { asItIsNow, describing } from '../intel/describe-entities.ts';
import { readAgain, type ReadAgainPorts } from '../intel/read-again.ts';
import { storeIntel, type StoreIntelPorts } from '../intel/store-intel.ts';
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
/** Jobs whose intel is stored at the same time: each is twenty short statements, most of whose time is their way. */
const storedAtOnce = 4;
/** A batch ends after this, however few jobs it had: that is when a cancel takes effect. */
const batchMs = 10_000;
const entitiesAtOnce = 500;

const backfills: Readonly<Record<BackfillKind, Backfill>> = {
  backfill_similarity: {
    over: 'file',
    // The newest first, as the periodic task has them.
    step: async (ports, after) => (await backfillDigestsUnder(ports, after === 0 ? null : after)).last,
  },
  backfill_analytics: overJobs(deriveAgain),
  backfill_entities: overJobs(storeIntel, storedAtOnce),
  // All of a job is stored at once, so that what is stored of it belongs together.
  backfill_finding_entity_links: overJobs(storeIntel, storedAtOnce),
  backfill_relationships: overJobs(async (ports, jobId, stop) => {
    const [tasks, census] = await Promise.all([ports.intel.derivedOf(jobId), ports.derivations.census(jobId)]);
    const isWhole = census !== null && tasks.every(({ findings }) => findings !== null);
    if (!isWhole) await readAgain(ports, jobId, stop);
    await storeIntel(ports, jobId);
  }),
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

/** One that cannot be done keeps no other from its turn. */
function overJobs(
  work: (ports: BackfillPorts, jobId: number, stop: AbortSignal) => Promise<unknown>,
  sideBySide = 1,
): Backfill {
  return {
    over: 'job',
    step: async (ports, after, stop) => {
      const jobs = await ports.intel.jobsAfter(after, jobsAtOnce);
      const until = ports.clock.now().getTime() + batchMs;
      let done = 0;
      while (done < jobs.length && ports.clock.now().getTime() < until) {
        const some = jobs.slice(done, done + sideBySide);
        await Promise.all(some.map((jobId) => onlyWarned(jobId, work(ports, jobId, stop))));
        done += some.length;
      }
      return jobs[done - 1] ?? null;

      function onlyWarned(jobId: number, doing: Promise<unknown>): Promise<unknown> {
        return doing.catch((error: unknown) => {
          stop.throwIfAborted();
          ports.log.warn('a job was left out of a backfill', { job_id: jobId, error });
        });
      }
    },
  };
}

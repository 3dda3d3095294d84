import type { BackfillKind } from '@svc/contracts/tasks.ts';
import type { Ports } from '../ports/ports.ts';
import type { BackgroundTask } from '../work/background-task-repository.ts';
import { tagEntitiesAfter } from '../alerts/backfill-labels.ts';
import { describing } from './describe-entities.ts';
import { readAgain, type ReadAgainPorts } from './read-again.ts';
import { storeIntel, type StoreIntelPorts } from './store-intel.ts';

export type BackfillPorts = ReadAgainPorts & StoreIntelPorts & Pick<Ports, 'backgroundTasks'>;

/** One batch: does what follows a number, and returns the last that it has done; null when nothing follows. */
type Step = (ports: BackfillPorts, after: number, stop: AbortSignal) => Promise<number | null>;

/** What is left after this is done by another turn, so that others have theirs. */
const mostMs = 120_000;
const jobsAtOnce = 20;
const entitiesAtOnce = 500;

const overEntities: ReadonlySet<BackfillKind> = new Set(['backfill_entity_attributes', 'backfill_builtin_labels']);

const steps: Readonly<Record<BackfillKind, Step>> = {
  backfill_entities: overJobs(storeIntel),
  // All of a job is stored at once, so that what is stored of it belongs together.
  backfill_finding_entity_links: overJobs(storeIntel),
  backfill_relationships: overJobs(async (ports, jobId, stop) => {
    const [tasks, census] = await Promise.all([ports.intel.derivedOf(jobId), ports.derivations.census(jobId)]);
    const isWhole = census !== null && tasks.every(({ findings }) => findings !== null);
    if (!isWhole) await readAgain(ports, jobId, stop);
    await storeIntel(ports, jobId);
  }),
  backfill_entity_attributes: async ({ intel, reportConfig }, after) =>
    intel.describeAfter(after, entitiesAtOnce, await describing(reportConfig)),
  backfill_builtin_labels: (ports, after) => tagEntitiesAfter(ports, after, entitiesAtOnce),
};

/**
 * Goes over all that there is, from where an earlier turn has ended, until it is done or cancelled; the sentence that it
 * ends with, null when more is to be done. Doing it again leaves the same.
 */
export async function backfill(ports: BackfillPorts, task: BackgroundTask, stop: AbortSignal): Promise<string | null> {
  const { backgroundTasks, clock } = ports;
  const kind = task.kind as BackfillKind;
  const what = overEntities.has(kind) ? 'entity' : 'job';
  const startedAt = clock.now().getTime();
  let cursor = task.cursor ?? 0;
  while (clock.now().getTime() - startedAt < mostMs) {
    const last = await steps[kind](ports, cursor, stop);
    if (last === null) return cursor === 0 ? 'there was nothing to do' : `done to the last, ${what} ${cursor}`;
    cursor = last;
    const detail = `done up to ${what} ${cursor}`;
    if (!(await backgroundTasks.progress(task.id, { cursor, detail }, clock.now()))) return detail;
  }
  return null;
}

/** One that cannot be done keeps no other from its turn. */
function overJobs(work: (ports: BackfillPorts, jobId: number, stop: AbortSignal) => Promise<unknown>): Step {
  return async (ports, after, stop) => {
    const jobs = await ports.intel.jobsAfter(after, jobsAtOnce);
    for (const jobId of jobs) {
      await work(ports, jobId, stop).catch((error: unknown) => {
        stop.throwIfAborted();
        ports.log.warn('a job was left out of a backfill', { job_id: jobId, error });
      });
    }
    return jobs.at(-1) ?? null;
  };
}

import type { JobStatus, RerunReason } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { LeaseOf } from '../ports/task-queue.ts';
import { holdLease, LeaseLost, OutOfTime, WorkerStopping, type LeaseEnd } from '../work/hold-lease.ts';
import { analyzeJob, type AnalyzePorts } from './analyze-job.ts';
import { handleCrash } from './handle-crash.ts';
import { wakeWorkers } from './queue-analysis.ts';

export type LeasePorts = AnalyzePorts & Pick<Ports, 'launcher' | 'ledger' | 'tasks'>;

/** How a worker does it, and who wants to know. */
export interface LeaseManner {
  /** Has it given back. */
  readonly leave: AbortSignal;
  /** Whether a task of the fast lane that takes long goes to the heavy one when others wait. @default false */
  readonly givesWay?: boolean;
  /** Is told of a job that has ended here, and after how many seconds. */
  readonly ended?: (status: JobStatus, seconds: number) => void;
}

/** Small tasks of others wait for this one, which is larger than it looked. */
class GivingWay extends Error {
  override readonly name = 'GivingWay';
}

/** How long a small task may take while others wait, and how often that is checked. */
const smallTaskMs = 2000;

/**
 * Does what the lease of an analysis is for: analyses its job, showing signs of life, and settles the task by how that ends.
 * A worker that leaves gives the task back; one that is out of time, to the heavy lane. Throws only when
 * the queue itself fails; the lease then lapses.
 */
export async function handleLease(
  ports: LeasePorts,
  lease: LeaseOf<'run_analysis'>,
  { leave, givesWay = false, ended }: LeaseManner,
): Promise<LeaseEnd> {
  const ending = new AbortController();
  const passOn = (): void => ending.abort(leave.reason);
  if (leave.aborted) passOn();
  leave.addEventListener('abort', passOn);
  const watch = givesWay ? setInterval(() => void giveWay(ports, lease, ending), smallTaskMs) : undefined;
  const startedAt = performance.now();
  ports.log.info('job begun', { attempt: lease.attempt });
  try {
    await holdLease(ports, lease, ending, () => analyzeJob(ports, lease, ending.signal));
    await ports.tasks.acknowledge(lease);
    const status = (await ports.jobs.get(lease.task.jobId))?.job.status;
    const durationMs = performance.now() - startedAt;
    ports.log.info('job done', { status, duration_ms: Math.round(durationMs) });
    if (status !== undefined) ended?.(status, durationMs / 1000);
    return 'finished';
  } catch (error) {
    const how = await settle(ports, lease, error);
    if (how === 'finished') ended?.('failed', (performance.now() - startedAt) / 1000);
    return how;
  } finally {
    clearInterval(watch);
    leave.removeEventListener('abort', passOn);
  }
}

async function settle(ports: LeasePorts, lease: LeaseOf<'run_analysis'>, error: unknown): Promise<LeaseEnd> {
  if (error instanceof LeaseLost) return 'waits';
  if (error instanceof OutOfTime) return moveToHeavy(ports, lease, 'out_of_time');
  // It does not give way there, so that this ends.
  if (error instanceof GivingWay) return moveToHeavy(ports, lease, 'out_of_time', false);
  if (!(error instanceof WorkerStopping)) return handleCrash(ports, lease, error);
  await ports.tasks.release(lease, { delaySeconds: 0, countAttempt: false });
  return 'waits';
}

/**
 * Has a job go on in the heavy lane, and the job say why (architecture 3.3). Where there is none it goes
 * back to where it was, as an attempt, so that this ends.
 */
export async function moveToHeavy(
  ports: LeasePorts,
  lease: LeaseOf<'run_analysis'>,
  why: RerunReason,
  countAttempt = !ports.deployment.heavyQueue,
): Promise<LeaseEnd> {
  ports.log.info('the job goes on in the heavy lane', { why });
  await ports.jobs.noteRerun(lease.task.jobId, why);
  await ports.tasks.release(lease, { delaySeconds: 0, countAttempt, lane: 'heavy' });
  await wakeWorkers(ports);
  return 'waits';
}

async function giveWay(
  { log, tasks }: LeasePorts,
  lease: LeaseOf<'run_analysis'>,
  ending: AbortController,
): Promise<void> {
  try {
    if (await tasks.isWaitedFor(lease)) ending.abort(new GivingWay('small tasks wait'));
  } catch (error) {
    log.warn('the queue did not say whether others wait', { error });
  }
}

import { AppError, isTerminal, type Job } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { Lease } from '../ports/task-queue.ts';
import { endJob } from './end-job.ts';

/** Whether the task is done, as far as its queue is concerned, or waits for a worker again. */
export type LeaseEnd = 'finished' | 'waits';

type CrashPorts = Pick<Ports, 'clock' | 'deployment' | 'jobs' | 'ledger' | 'log' | 'tasks'>;

const retryDelaySeconds = 5;
/** For a database or store that is out of reach, or full. */
const outageDelaySeconds = 30;

/**
 * After an unexpected failure of a worker: the task is tried once more in 5 s, then the job fails (3.3).
 * What the service stands on being out of reach is no fault of the job, which waits for as long as it might
 * have waited for a worker. A failed one's task is buried. Does nothing when another worker has the job.
 */
export async function handleCrash(ports: CrashPorts, lease: Lease, error: unknown): Promise<LeaseEnd> {
  ports.log.error('the analysis crashed', { attempt: lease.attempt, error });
  if (!(await ports.tasks.extend(lease))) return 'waits';
  const record = await ports.jobs.get(lease.jobId);
  if (record && isOutage(error) && isRecent(ports, record.job)) {
    await ports.tasks.release(lease, { delaySeconds: outageDelaySeconds, countAttempt: false });
    return 'waits';
  }
  if (lease.attempt < 2) {
    await ports.tasks.release(lease, { delaySeconds: retryDelaySeconds, countAttempt: true });
    return 'waits';
  }
  if (record && !isTerminal(record.job.status)) {
    const message = `The analysis stopped unexpectedly: ${error instanceof Error ? error.message : String(error)}`;
    await endJob(ports, lease.jobId, { from: record.job.status, code: 'internal', message });
  }
  await ports.tasks.acknowledge(lease);
  await ports.ledger.bury(lease.jobId, 'internal');
  return 'finished';
}

function isOutage(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}

function isRecent({ clock, deployment }: CrashPorts, { createdAt }: Job): boolean {
  return clock.now().getTime() - createdAt.getTime() < deployment.queueExpirySeconds * 1000;
}

import { taskKinds } from '@svc/contracts/tasks.ts';
import { AppError, isTerminal, type Job } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { LeaseOf } from '../ports/task-queue.ts';
import { endJob } from './end-job.ts';
import type { LeaseEnd } from '../work/hold-lease.ts';

type CrashPorts = Pick<Ports, 'clock' | 'deployment' | 'jobs' | 'ledger' | 'log' | 'tasks' | 'transaction'>;

/** For a database or store that is out of reach, or full. */
const outageDelaySeconds = 30;

/**
 * After an unexpected failure of a worker: the task is tried again as its kind says, then the job fails (3.3).
 * What the service stands on being out of reach is no fault of the job, which waits for as long as it might
 * have waited for a worker. A failed one's task is buried. Does nothing when another worker has the job.
 */
export async function handleCrash(
  ports: CrashPorts,
  lease: LeaseOf<'run_analysis'>,
  error: unknown,
): Promise<LeaseEnd> {
  ports.log.error('the analysis crashed', { attempt: lease.attempt, error });
  if (!(await ports.tasks.extend(lease))) return 'waits';
  const record = await ports.jobs.get(lease.task.jobId);
  if (record && isOutage(error) && isRecent(ports, record.job)) {
    await ports.tasks.release(lease, { delaySeconds: outageDelaySeconds, countAttempt: false });
    return 'waits';
  }
  const delaySeconds = taskKinds.run_analysis.retryDelays[lease.attempt - 1];
  if (delaySeconds !== undefined) {
    await ports.tasks.release(lease, { delaySeconds, countAttempt: true });
    return 'waits';
  }
  if (record && !isTerminal(record.job.status)) {
    const message = `The analysis stopped unexpectedly: ${error instanceof Error ? error.message : String(error)}`;
    await endJob(ports, lease.task.jobId, { from: record.job.status, code: 'internal', message });
  }
  await ports.tasks.acknowledge(lease);
  await ports.ledger.bury(lease.key, 'internal');
  return 'finished';
}

function isOutage(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}

function isRecent({ clock, deployment }: CrashPorts, { createdAt }: Job): boolean {
  return clock.now().getTime() - createdAt.getTime() < deployment.queueExpirySeconds * 1000;
}

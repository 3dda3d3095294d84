import { AppError, isTerminal } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { Lease } from '../ports/task-queue.ts';
import { maxAttempts } from './analyze-job.ts';
import { endJob } from './end-job.ts';

const retryDelaySeconds = 5;

/**
 * After an unexpected failure of a worker: the task is tried once more in 5 s, then the job fails (3.3).
 * What was out of reach for a while is worth one try more. Does nothing when another worker has the job.
 */
export async function handleCrash(
  ports: Pick<Ports, 'clock' | 'jobs' | 'log' | 'tasks'>,
  lease: Lease,
  error: unknown,
): Promise<void> {
  ports.log.error('the analysis crashed', { attempt: lease.attempt, error });
  if (!(await ports.tasks.extend(lease))) return;
  const attempts = error instanceof AppError && error.code === 'unavailable' ? maxAttempts : 2;
  if (lease.attempt < attempts) {
    await ports.tasks.release(lease, { delaySeconds: retryDelaySeconds, countAttempt: true });
    return;
  }
  const record = await ports.jobs.get(lease.jobId);
  if (record && !isTerminal(record.job.status)) {
    const message = `The analysis stopped unexpectedly: ${error instanceof Error ? error.message : String(error)}`;
    await endJob(ports, lease.jobId, { from: record.job.status, code: 'internal', message });
  }
  await ports.tasks.acknowledge(lease);
}

import type { Job } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/**
 * Whether a job has waited too long for a worker (service 8.1), counted from when one last did anything: a queue that
 * workers come to the end of, however late, has no job in it that is given up for the others before it.
 */
export async function hasExpired(
  { clock, deployment, jobs }: Pick<Ports, 'clock' | 'deployment' | 'jobs'>,
  job: Job,
  graceSeconds = 0,
): Promise<boolean> {
  if (job.status !== 'pending') return false;
  const since = clock.now().getTime() - (deployment.queueExpirySeconds + graceSeconds) * 1000;
  if (job.createdAt.getTime() >= since) return false;
  return ((await jobs.lastWorkedAt())?.getTime() ?? 0) < since;
}

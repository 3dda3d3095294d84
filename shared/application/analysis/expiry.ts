import type { Job } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/**
 * Whether a job has waited too long for a worker (service 8.1), counted from when any worker last did
 * something. In a queue that moves, however slowly, no job expires.
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

import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';

/** Has a host analyse so many jobs at a time; one that is restarted meanwhile keeps what it was given. */
export async function limitWorker(
  { workers }: Pick<Ports, 'workers'>,
  { hostname, max_concurrent_jobs: cap }: InputOf<typeof operations.limitWorker>,
): Promise<OutputOf<typeof operations.limitWorker>> {
  const fleet = await workers.fleet();
  const isKnown = fleet.caps.has(hostname) || fleet.workers.some(({ facts }) => facts.hostname === hostname);
  if (!isKnown) throw notFound('host');
  await workers.setCap(hostname, cap);
  return { hostname, max_concurrent_jobs: cap };
}

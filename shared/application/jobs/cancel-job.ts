import { analysisKey } from '@svc/contracts/tasks.ts';
import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, canCancel, isTerminal, jobErrorTexts, type Actor, type JobStatus } from '@svc/domain';
import { moveJob } from '../analysis/move-job.ts';
import type { Ports } from '../ports/ports.ts';
import { visibleJob } from './visible-job.ts';

export type CancelPorts = Pick<Ports, 'clock' | 'jobViews' | 'jobs' | 'ledger' | 'transaction'>;

/** Stops a job (resolved-platform 3.4); for one that has ended it changes nothing and succeeds. */
export async function cancelJob(
  ports: CancelPorts,
  actor: Actor,
  { id }: InputOf<typeof operations.cancelJob>,
): Promise<OutputOf<typeof operations.cancelJob>> {
  const job = await visibleJob(ports, actor, id);
  if (!canCancel(job, actor)) throw new AppError('forbidden', 'Only its submitter and administrators may cancel a job');
  if (isTerminal(job.status)) return { job_id: id, status: job.status, cancelling: false };
  // The mark comes first: a worker that picks the job up from here on will see it.
  await ports.jobs.requestCancel(id, ports.clock.now());
  const cancelled = (await cancelPending(ports, id)) || (await cancelAbandoned(ports, id));
  if (cancelled) await ports.ledger.remove(analysisKey(id));
  const status: JobStatus = cancelled ? 'cancelled' : ((await ports.jobs.get(id))?.job.status ?? 'cancelled');
  return { job_id: id, status, cancelling: status === 'running' };
}

async function cancelPending(ports: CancelPorts, id: number): Promise<boolean> {
  const error = { code: 'cancelled_by_user', message: jobErrorTexts.cancelled_by_user } as const;
  return moveJob(ports, id, { from: 'pending', to: 'cancelled', at: ports.clock.now(), error });
}

/** A running job whose worker is gone has nobody else to end it. */
async function cancelAbandoned(ports: CancelPorts, id: number): Promise<boolean> {
  if ((await ports.ledger.state(analysisKey(id)))?.held === true) return false;
  const error = { code: 'cancelled_worker_lost', message: jobErrorTexts.cancelled_worker_lost } as const;
  return moveJob(ports, id, { from: 'running', to: 'cancelled', at: ports.clock.now(), error });
}

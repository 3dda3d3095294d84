import { analysisKey } from '@svc/contracts/tasks.ts';
import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import { removeObjects, type DropPorts } from '../work/remove-dropped-objects.ts';
import type { Ports } from '../ports/ports.ts';
import { removeJob } from './remove-job.ts';

export type DeletePorts = DropPorts & Pick<Ports, 'clock' | 'jobs' | 'ledger' | 'transaction'>;

/** Deletes a job with everything that hangs on it (resolved-platform 3.4). */
export async function deleteJob(
  ports: DeletePorts,
  actor: Actor,
  { id }: InputOf<typeof operations.deleteJob>,
): Promise<OutputOf<typeof operations.deleteJob>> {
  if (!(await deleteOne(ports, id, actor))) throw notFound('job');
  return { deleted: 1 };
}

/**
 * Cancels the job when it is live, removes it, and then its objects from the store. Its worker finds the job gone, and
 * writes nothing more. False when there is none.
 * @param actor - null for the service itself
 */
export async function deleteOne(ports: DeletePorts, id: number, actor: Actor | null): Promise<boolean> {
  const now = ports.clock.now();
  const by = actor?.kind === 'account' ? actor.userId : null;
  const wasLive = await ports.jobs.requestCancel(id, now);
  const dropped = await removeJob(ports, id, { by, at: now });
  if (dropped === null) return false;
  if (wasLive) await leaveQueue(ports, id);
  await removeObjects(ports, dropped);
  ports.log.info('job deleted', { job_id: id });
  return true;
}

/** An entry that stays is dropped by the worker that receives it. */
async function leaveQueue({ ledger, log }: DeletePorts, id: number): Promise<void> {
  await ledger
    .remove(analysisKey(id))
    .catch((error: unknown) => log.warn('a deleted job stays queued', { job_id: id, error }));
}

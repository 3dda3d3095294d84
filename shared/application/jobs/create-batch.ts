import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { refuseInDemoMode } from '../submissions/admit-upload.ts';

/** Makes a batch of the jobs that the actor may see among these; throws `not_found` for fewer than two. */
export async function createBatch(
  ports: Pick<Ports, 'batches' | 'clock' | 'jobViews' | 'settings'>,
  actor: Actor,
  { job_ids: ids }: InputOf<typeof operations.createBatch>,
): Promise<OutputOf<typeof operations.createBatch>> {
  await refuseInDemoMode(ports);
  const seen = await ports.jobViews.among(actor, ids);
  if (seen.length < 2) throw notFound('job');
  const id = await ports.batches.create({
    jobIds: seen.map((job) => job.id),
    by: actor.kind === 'account' ? actor.userId : null,
    at: ports.clock.now(),
  });
  return { batch_id: id, batch_url: `/batches/${id}` };
}

import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { deleteOne, type DeletePorts } from './delete-job.ts';

/** Deletes jobs one by one; ids that there are no jobs of are skipped (resolved-platform 3.4). */
export async function deleteJobs(
  ports: DeletePorts,
  actor: Actor,
  { job_ids: ids }: InputOf<typeof operations.deleteJobs>,
): Promise<OutputOf<typeof operations.deleteJobs>> {
  let deleted = 0;
  for (const id of new Set(ids)) {
    if (await deleteOne(ports, id, actor)) deleted += 1;
  }
  return { deleted };
}

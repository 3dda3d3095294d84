import type { Ports } from '../ports/ports.ts';
import type { NewTask } from '../report/result-repository.ts';

/**
 * Clears what an earlier attempt at a job left and adds its tasks, in one transaction; their ids in order, null when the
 * job is not running under this claim any more.
 */
export function beginTasks(
  { transaction }: Pick<Ports, 'transaction'>,
  { id, claim }: { readonly id: number; readonly claim: string },
  tasks: readonly NewTask[],
  at: Date,
): Promise<readonly number[] | null> {
  return transaction(async (tx) => {
    if (!(await tx.jobs.holdUnder(id, claim))) return null;
    await tx.droppedObjects.note(await tx.results.remove(id), at);
    const ids = await tx.results.addTasks(id, tasks, at);
    await tx.jobs.mark([id]);
    return ids;
  });
}

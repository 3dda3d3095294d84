import { tell } from '../happenings/tell.ts';
import type { Ports } from '../ports/ports.ts';

/**
 * Removes a job with everything that hangs on it, and its file when no other job is on that, in one transaction
 * (resolved-platform 3.4). Returns the keys of the objects that nothing refers to any more, which are noted as dropped;
 * null when there is no such job.
 * @param by - account id; null when its time is over
 */
export function removeJob(
  { transaction }: Pick<Ports, 'transaction'>,
  id: number,
  { by, at }: { readonly by: string | null; readonly at: Date },
): Promise<readonly string[] | null> {
  return transaction(async (tx) => {
    const [job] = await tx.jobs.hold([id]);
    if (!job) return null;
    await tx.intel.remove(id);
    const outputs = await tx.results.remove(id);
    // Whoever submits the same bytes meanwhile waits for this, and then finds no file, or this has left it.
    await tx.files.hold(job.fileId);
    const inCases = await tx.cases.ofJob(id);
    await tx.aiRuns.dropSource(id, at);
    await tx.jobs.remove(id);
    if (inCases.length > 0) await tx.cases.touch(inCases, at);
    const upload = await tx.files.removeUnused(job.fileId);
    const dropped = [...outputs, ...(upload === null ? [] : [upload])];
    await tx.droppedObjects.note(dropped, at);
    await tell(tx, { kind: 'job_deleted', subject: { kind: 'job', id }, by, at });
    return dropped;
  });
}

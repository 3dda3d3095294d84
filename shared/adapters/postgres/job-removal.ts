import { eq, inArray, sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { dropObjects } from './dropped-objects.ts';
import { dropOutputsOf } from './raw-output-repository.ts';
import { caseJobs, cases, jobs, taskResults, uploadedFiles } from './schema/index.ts';

/**
 * Removes a job with all that hangs on it, and its file when no other job is on that; the keys of objects that
 * are dropped by this, null when there is no such job.
 */
export async function removeJob(tx: Database, id: number, at: Date): Promise<readonly string[] | null> {
  // No stronger yet: its worker may be writing findings, which refer to it.
  const [job] = await tx.select({ fileId: jobs.fileId }).from(jobs).where(eq(jobs.id, id)).for('no key update');
  if (!job) return null;
  const outputs = await dropOutputsOf(tx, id, at);
  await tx.delete(taskResults).where(eq(taskResults.jobId, id));
  // Whoever submits the same bytes meanwhile waits for this, and then finds no file, or this has left it.
  await tx.select({ id: uploadedFiles.id }).from(uploadedFiles).where(eq(uploadedFiles.id, job.fileId)).for('update');
  const inCases = await tx.select({ id: caseJobs.caseId }).from(caseJobs).where(eq(caseJobs.jobId, id));
  await tx.delete(jobs).where(eq(jobs.id, id));
  if (inCases.length > 0) await touchCases(tx, inCases, at);
  const unused = await tx
    .delete(uploadedFiles)
    .where(
      sql`${uploadedFiles.id} = ${job.fileId} and not exists (select from ${jobs} where ${jobs.fileId} = ${job.fileId})`,
    )
    .returning({ key: uploadedFiles.storageKey });
  const dropped = unused.map(({ key }) => key);
  await dropObjects(tx, dropped, at);
  return [...outputs, ...dropped];
}

async function touchCases(tx: Database, ids: readonly { id: number }[], at: Date): Promise<void> {
  const changed = inArray(
    cases.id,
    ids.map(({ id }) => id),
  );
  // In one order, as several jobs of the same cases may go at once.
  await tx.select({ id: cases.id }).from(cases).where(changed).orderBy(cases.id).for('no key update');
  await tx.update(cases).set({ updatedAt: at }).where(changed);
}

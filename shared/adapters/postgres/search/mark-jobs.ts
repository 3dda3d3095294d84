import { asc, inArray, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { jobs, jobTags, taskResults } from '../schema/index.ts';
import { flag, named, numbered } from './facets.ts';

/**
 * Locks jobs that are about to be marked, before anything else is locked that hangs on them: whoever removes one has
 * locked it as well, and waits for the rest. Returns those that there are.
 */
export async function holdJobs(tx: Database, ids: readonly number[]): Promise<number[]> {
  const which = inArray(jobs.id, [...ids]);
  // In one order, as others may hold the same.
  const held = await tx.select({ id: jobs.id }).from(jobs).where(which).orderBy(asc(jobs.id)).for('no key update');
  return held.map(({ id }) => id);
}

/** Marks jobs, which are held, anew with their tags and engines: for whoever has changed these. */
export async function markJobs(tx: Database, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await writeMarks(tx, inArray(jobs.id, [...ids]));
}

/** The same, where nobody else can change them. */
export async function writeMarks(tx: Database, which: SQL): Promise<void> {
  await tx
    .update(jobs)
    .set({
      marks: sql`
        coalesce((select array_agg(${sql.raw(String(numbered('tag', 0)))} + ${jobTags.tagId} order by ${jobTags.tagId}) from ${jobTags}
          where ${jobTags.jobId} = ${jobs.id}), array[${sql.raw(String(flag('untagged')))}]) ||
        coalesce((select array_agg(distinct ${named('tool', taskResults.engine)}) from ${taskResults}
          where ${taskResults.jobId} = ${jobs.id}), array[${sql.raw(String(flag('toolless')))}])`,
    })
    .where(which);
}

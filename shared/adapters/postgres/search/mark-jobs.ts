import { inArray, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { jobs, jobTags, taskResults } from '../schema/index.ts';
import { flag, named, numbered } from './facets.ts';

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

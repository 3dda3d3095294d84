import { desc, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { jobs } from '../schema/index.ts';
import { idsIn, sizeIn, type JobSet } from './job-set.ts';
import type { Span } from './known-jobs.ts';

/** Runs whose times overlap, so that only each job's own tells the order. */
interface Group {
  readonly chunks: readonly number[];
  readonly size: number;
  readonly first: number;
  /** Whether the order of ids is the order of time. */
  readonly isInOrder: boolean;
}

/**
 * Ids of the jobs from a place in the list on, newest first by (created, id). Runs of ids follow each other in
 * time but for jobs that were made at once, so only the few around the place are looked at.
 */
export async function idsOfPage(
  db: Database,
  found: { readonly jobs: JobSet; readonly spans: ReadonlyMap<number, Span> },
  { from, count }: { readonly from: number; readonly count: number },
): Promise<number[]> {
  let before = 0;
  let skipped = 0;
  let isInOrder = true;
  const ids: number[] = [];
  for (const group of groupsOf(found)) {
    if (before + group.size <= from) skipped += group.size;
    else if (before < from + count) {
      isInOrder &&= group.isInOrder;
      ids.push(...group.chunks.flatMap((chunk) => idsIn(found.jobs, chunk).reverse()));
    }
    before += group.size;
  }
  if (isInOrder) return ids.slice(from - skipped, from - skipped + count);
  const rows = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(sql`${jobs.id} = any(${sql.param(ids)}::int[])`)
    .orderBy(desc(jobs.createdAt), desc(jobs.id))
    .limit(count)
    .offset(from - skipped);
  return rows.map(({ id }) => id);
}

/** Runs with jobs, the newest first. */
function groupsOf({ jobs: set, spans }: { jobs: JobSet; spans: ReadonlyMap<number, Span> }): Group[] {
  const spanOf = (chunk: number): Span => spans.get(chunk) ?? { first: 0, last: Infinity, isInOrder: false };
  const newestFirst = [...set.keys()]
    .map((chunk) => ({ chunk, size: sizeIn(set, chunk), ...spanOf(chunk) }))
    .filter(({ size }) => size > 0)
    .sort((a, b) => b.last - a.last);
  const groups: Group[] = [];
  for (const { chunk, size, first, last, isInOrder } of newestFirst) {
    const group = groups.at(-1);
    if (group && last >= group.first) {
      const chunks = [...group.chunks, chunk];
      const joined = { chunks, size: group.size + size, first: Math.min(group.first, first), isInOrder: false };
      groups[groups.length - 1] = joined;
    } else groups.push({ chunks: [chunk], size, first, isInOrder });
  }
  return groups;
}

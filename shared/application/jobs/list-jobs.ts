import { pageSizes, type InputOf, type operations, type OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { toJobRow } from './job-row.ts';
import { readListCursor, writtenListCursor } from './list-cursor.ts';
import { planSearch } from './plan-search.ts';

/** Visible jobs that meet a search, newest first or as sorted; 20 a page unless 50 or 100 are asked for. */
export async function listJobs(
  { clock, jobLists, tags }: Pick<Ports, 'clock' | 'jobLists' | 'tags'>,
  actor: Actor,
  { page, per: asked, cursor, sort = 'created', order, ...query }: InputOf<typeof operations.listJobs>,
): Promise<OutputOf<typeof operations.listJobs>> {
  const per = pageSizes.find((size) => size === asked) ?? pageSizes[0];
  const plan = planSearch(actor, query, clock.now());
  const found = await jobLists.page(
    actor,
    plan.search,
    { page, per, cursor: readListCursor(cursor) },
    { by: sort, isReversed: order === 'asc' },
  );
  const colors = new Map((await tags.named(plan.tags)).map(({ name, color }) => [name, color]));
  return {
    jobs: found.jobs.map((view) => toJobRow(view, actor)),
    page: found.page,
    per,
    total: found.total,
    total_pages: Math.max(1, Math.ceil(found.total / per)),
    total_is_floor: found.isFloor,
    older: writtenListCursor(found.older),
    newer: writtenListCursor(found.newer),
    has_running: found.hasRunning,
    query_chips: plan.chips,
    query_errors: plan.errors,
    active_tags: plan.tags.map((tag) => ({ tag, color: colors.get(tag) ?? 'gray' })),
  };
}

import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { shownName } from '../jobs/job-row.ts';
import type { Ports } from '../ports/ports.ts';
import { entityScope, foldedIds } from './entity-scope.ts';
import { seenDuring } from './get-entity-sightings.ts';

/** Rows of a page of what hangs on an entity. */
export const per = 50;

/** Visible jobs that name an entity, newest first; of the newest those that saw it in a window, as sightings tell. */
export async function listEntityJobs(
  ports: Pick<Ports, 'entities' | 'entityAliases' | 'entityLinks' | 'jobViews'>,
  actor: Actor,
  { id, page, per: rows, from, to, fold_aliases: folds }: InputOf<typeof operations.listEntityJobs>,
): Promise<OutputOf<typeof operations.listEntityJobs>> {
  await entityScope(ports, actor, id);
  const { sightings } =
    from === undefined && to === undefined ? { sightings: null } : await ports.entityLinks.sightings(actor, id);
  const among = sightings === null ? null : seenDuring(sightings, from, to);
  const found = await ports.entityLinks.jobs(actor, await foldedIds(ports, id, folds), { page, per: rows, among });
  const ids = found.jobs.map(({ jobId }) => jobId);
  const views = new Map((await ports.jobViews.some(actor, ids)).map((view) => [view.job.id, view]));
  return {
    page: found.page,
    total: found.total,
    total_pages: Math.max(1, Math.ceil(found.total / rows)),
    jobs: found.jobs.flatMap(({ jobId, occurrences }) => {
      const view = views.get(jobId);
      if (view === undefined) return [];
      return [
        {
          id: jobId,
          filename: shownName(view),
          status: view.job.status,
          created_at: view.job.createdAt.toISOString(),
          occurrence_count: occurrences,
        },
      ];
    }),
  };
}

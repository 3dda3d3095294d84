import type { operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { toJobRow } from '../jobs/job-row.ts';
import type { Ports } from '../ports/ports.ts';

/** Visible jobs that the actor watches, most unread first (resolved-platform 13.3). */
export async function listWatchedJobs(
  { jobViews, watches }: Pick<Ports, 'jobViews' | 'watches'>,
  actor: Actor,
): Promise<OutputOf<typeof operations.listWatchedJobs>> {
  const watched = await watches.list(actor);
  const views = await jobViews.some(
    actor,
    watched.map(({ jobId }) => jobId),
  );
  const viewOf = new Map(views.map((view) => [view.job.id, view]));
  return {
    jobs: watched.flatMap(({ jobId, since, unread }) => {
      const view = viewOf.get(jobId);
      return view ? [{ job: toJobRow(view, actor), since: since.toISOString(), unread }] : [];
    }),
  };
}

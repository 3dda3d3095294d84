import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { toJobRow } from './job-row.ts';

/** Visible jobs, newest first. */
export async function listJobs(
  { jobViews }: Pick<Ports, 'jobViews'>,
  actor: Actor,
  { page, per }: InputOf<typeof operations.listJobs>,
): Promise<OutputOf<typeof operations.listJobs>> {
  const found = await jobViews.page(actor, page, per);
  return {
    jobs: found.jobs.map((view) => toJobRow(view, actor)),
    page: found.page,
    per,
    total: found.total,
    total_pages: Math.max(1, Math.ceil(found.total / per)),
    has_running: found.hasRunning,
  };
}

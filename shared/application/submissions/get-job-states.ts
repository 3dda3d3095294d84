import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { shownError } from '../jobs/job-row.ts';
import type { Ports } from '../ports/ports.ts';

/** States of up to 50 jobs; what is missing and what is another's secret look the same. */
export async function getJobStates(
  { jobViews }: Pick<Ports, 'jobViews'>,
  actor: Actor,
  { ids }: InputOf<typeof operations.getJobStates>,
): Promise<OutputOf<typeof operations.getJobStates>> {
  const visible = new Map((await jobViews.among(actor, ids)).map((job) => [job.id, job]));
  const jobs = ids.flatMap((id) => visible.get(id) ?? []);
  const partlyRead = await jobViews.partlyRead([...visible.keys()]);
  return {
    jobs: jobs.map((job) => ({
      job_id: job.id,
      status: job.status,
      partly_read: partlyRead.has(job.id),
      total_findings: job.totalFindings,
      severity_summary: { ...job.severitySummary },
      error: shownError(job, actor),
      job_url: `/jobs/${job.id}`,
    })),
    unavailable_ids: ids.filter((id) => !visible.has(id)),
  };
}

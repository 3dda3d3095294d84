import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { isTerminal, notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { delayOf, toTaskState } from './job-row.ts';

/** What changes while a job runs. */
export async function getJobProgress(
  { jobViews }: Pick<Ports, 'jobViews'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getJobProgress>,
): Promise<OutputOf<typeof operations.getJobProgress>> {
  const [job] = await jobViews.among(actor, [id]);
  if (!job) throw notFound('job');
  return {
    status: job.status,
    terminal: isTerminal(job.status),
    delay: delayOf(job),
    score_ratio: job.scoreRatio,
    total_findings: job.totalFindings,
    severity_summary: { ...job.severitySummary },
    tasks: (await jobViews.tasks(id)).map((task) => toTaskState(task, actor)),
  };
}

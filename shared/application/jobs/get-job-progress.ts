import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { isTerminal, type Actor, type Job } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { delayOf, toTaskState } from './job-row.ts';
import { toPostSteps } from '../report/post-steps.ts';
import { visibleJob } from './visible-job.ts';

type Progress = OutputOf<typeof operations.getJobProgress>;

/** What changes while a job runs. */
export async function getJobProgress(
  ports: Pick<Ports, 'clock' | 'files' | 'jobViews'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getJobProgress>,
): Promise<Progress> {
  const job = await visibleJob(ports, actor, id);
  const terminal = isTerminal(job.status);
  const tasks = await ports.jobViews.tasks(id);
  // While a job runs, it is asked about often, and shows no digest.
  const file = terminal ? await ports.files.get(job.fileId) : null;
  return {
    status: job.status,
    terminal,
    delay: delayOf(job),
    score_ratio: job.scoreRatio,
    total_findings: job.totalFindings,
    severity_summary: { ...job.severitySummary },
    tasks: [...tasks.map((task) => toTaskState(task, actor)), ...toPostSteps(job, tasks, file?.tlsh ?? null)],
    ...(terminal ? {} : await waitOf(ports, job)),
  };
}

/** Where a live job stands in the queue, and how long it still takes as far as the last ones tell. */
async function waitOf(
  { clock, jobViews }: Pick<Ports, 'clock' | 'jobViews'>,
  job: Job,
): Promise<Pick<Progress, 'queue_position' | 'estimated_remaining_s'>> {
  const { position, meanSeconds } = await jobViews.queue(job);
  const elapsed = job.startedAt === null ? 0 : (clock.now().getTime() - job.startedAt.getTime()) / 1000;
  return {
    ...(job.status === 'pending' && { queue_position: position }),
    ...(meanSeconds !== null && { estimated_remaining_s: Math.max(0, Math.round(meanSeconds - elapsed)) }),
  };
}

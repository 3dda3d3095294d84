import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { canCancel, hasRole, isTerminal, notFound, type Actor, type TaskResult } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { delayOf, toJobRow, toTaskState } from './job-row.ts';

/** One job with its file, its tasks and what the engines said about the log. */
export async function getJob(
  { jobViews }: Pick<Ports, 'jobViews'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getJob>,
): Promise<OutputOf<typeof operations.getJob>> {
  const view = await jobViews.get(actor, id);
  if (!view) throw notFound('job');
  const { job, file } = view;
  const tasks = await jobViews.tasks(id);
  return {
    ...toJobRow(view, actor),
    file: {
      id: file.id,
      sha256: file.sha256,
      size_bytes: file.sizeBytes,
      uploaded_at: file.uploadedAt.toISOString(),
    },
    detected_type: file.detectedType,
    effective_log_type: job.logType,
    original_filename: hasRole(actor, 'admin') ? file.originalName : null,
    events: mostEvents(tasks),
    first_event_at: view.firstEventAt,
    last_event_at: view.lastEventAt,
    rules: tasks.find(({ ruleSet }) => ruleSet !== null)?.ruleSet ?? null,
    warnings: [...new Set(tasks.flatMap(({ warnings }) => warnings))],
    delay: delayOf(job),
    tasks: tasks.map((task) => toTaskState(task, actor)),
    can_cancel: !isTerminal(job.status) && canCancel(job, actor),
    error_code: job.errorCode,
  };
}

/** Records in the log: every engine reads the same ones, and some do not count. */
function mostEvents(tasks: readonly TaskResult[]): number | null {
  const counts = tasks.flatMap(({ events }) => events ?? []);
  return counts.length > 0 ? Math.max(...counts) : null;
}

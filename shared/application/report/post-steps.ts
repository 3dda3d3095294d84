import type { TaskState } from '@svc/contracts';
import { isTerminal, postSteps, reportedStatuses, type Job, type PostStep, type TaskStatus } from '@svc/domain';

/**
 * The steps after a job's tasks, of which nothing of their own is stored: analytics are committed with what a task found,
 * and the digest that similar files are found by is the file's (resolved-platform 2.6). Before the report there is no
 * telling whether the file has one, which would tell of jobs that the viewer may not see.
 */
export function toPostSteps(
  { status }: Pick<Job, 'status'>,
  tasks: readonly { readonly status: TaskStatus }[],
  digest: string | null,
): TaskState[] {
  const isOver = isTerminal(status);
  const hasAnalytics = tasks.some((task) => task.status === 'completed');
  const similarity = digest === null ? 'pending' : 'completed';
  const states: Record<PostStep, TaskStatus> = {
    'post:analytics': isOver ? (hasAnalytics ? 'completed' : 'skipped') : 'pending',
    'post:similarity': isOver ? (reportedStatuses.includes(status) ? similarity : 'skipped') : 'pending',
  };
  return postSteps.map((tool, place) => ({
    // Negative, unlike those of tasks: they have no log.
    id: -1 - place,
    tool,
    status: states[tool],
    findings_count: 0,
    duration_ms: null,
    error: null,
    progress: null,
  }));
}

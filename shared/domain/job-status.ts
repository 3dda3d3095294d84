/** States of a job (resolved-platform 3.2). */
export const jobStatuses = ['pending', 'running', 'completed', 'partial', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** States of a task of a job (resolved-platform 2.6). */
export const taskStatuses = ['pending', 'running', 'completed', 'failed', 'skipped', 'cancelled'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

const transitions: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  pending: ['running', 'failed', 'cancelled'],
  running: ['completed', 'partial', 'failed', 'cancelled'],
  completed: [],
  partial: [],
  failed: [],
  cancelled: [],
};

/** Whether a job in this state will never change again. */
export function isTerminal(status: JobStatus): boolean {
  return transitions[status].length === 0;
}

/** States of a job that has a report. */
export const reportedStatuses: readonly JobStatus[] = ['completed', 'partial'];

/** States from which a job may become `to`; writers update only where the current state is one. */
export function statesBefore(to: JobStatus): readonly JobStatus[] {
  return jobStatuses.filter((from) => transitions[from].includes(to));
}

/** Outcome of a job whose tasks are all done: skipped tasks count for nothing (3.2). */
export function outcomeOf(tasks: readonly TaskStatus[]): 'completed' | 'partial' | 'failed' | 'no_task_ran' {
  const succeeded = tasks.includes('completed');
  const failed = tasks.includes('failed');
  if (succeeded) return failed ? 'partial' : 'completed';
  return failed ? 'failed' : 'no_task_ran';
}

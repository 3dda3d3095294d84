import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, isTerminal, type Actor } from '@svc/domain';
import { queueBackgroundTask } from '../work/run-background-task.ts';
import type { Ports } from '../ports/ports.ts';
import { knownJob } from '../jobs/visible-job.ts';

/**
 * Has a worker derive the analytics of a job again; one that is under way answers a repeat. Throws `unavailable` when
 * the queue cannot be reached (resolved-platform 16.2).
 */
export async function recalculateAnalytics(
  { backgroundTasks, clock, jobs, tasks }: Pick<Ports, 'backgroundTasks' | 'clock' | 'jobs' | 'tasks'>,
  actor: Actor,
  { id }: InputOf<typeof operations.recalculateAnalytics>,
): Promise<OutputOf<typeof operations.recalculateAnalytics>> {
  const record = await knownJob({ jobs }, id);
  if (!isTerminal(record.job.status))
    throw new AppError('conflict', 'The analysis is still under way; recalculate when it has ended');
  const requestedBy = actor.kind === 'account' ? actor.email : '';
  const task = { kind: 'recalculate_single_analytics', targetId: id, requestedBy } as const;
  const { id: taskId, already } = await backgroundTasks.request(task, clock.now());
  try {
    // A repeat makes up for a process that ended before it had queued it.
    await queueBackgroundTask({ tasks }, { ...task, id: taskId });
  } catch (cause) {
    if (!already) await backgroundTasks.finish(taskId, { error: 'it could not be queued' }, clock.now());
    throw new AppError('unavailable', 'The queue of tasks cannot be reached; try again shortly', { cause });
  }
  return { task_id: taskId, already };
}

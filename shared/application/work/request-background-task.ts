import type { Task } from '@svc/contracts/tasks.ts';
import { AppError } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { BackgroundTask, NewBackgroundTask } from './background-task-repository.ts';

/**
 * Has a worker do something that somebody has asked for; one that is under way answers a repeat. Throws
 * `unavailable` when the queue cannot be reached (resolved-platform 16.2).
 */
export async function requestBackgroundTask(
  { backgroundTasks, clock, tasks }: Pick<Ports, 'backgroundTasks' | 'clock' | 'tasks'>,
  task: NewBackgroundTask,
): Promise<{ task_id: number; already: boolean }> {
  const { id, already } = await backgroundTasks.request(task, clock.now());
  try {
    // A repeat makes up for a process that ended before it had queued it.
    await queueBackgroundTask({ tasks }, { ...task, id });
  } catch (cause) {
    if (!already) await backgroundTasks.finish(id, { error: 'it could not be queued' }, clock.now());
    throw new AppError('unavailable', 'The queue of tasks cannot be reached; try again shortly', { cause });
  }
  return { task_id: id, already };
}

/** Has a worker do it soon; false when one of its kind and target waits or is worked on already. */
export async function queueBackgroundTask(
  { tasks }: Pick<Ports, 'tasks'>,
  { id: taskId, kind, targetId }: Pick<BackgroundTask, 'id' | 'kind' | 'targetId'>,
): Promise<boolean> {
  const task: Task =
    kind === 'recalculate_single_analytics' || kind === 'gather_finding_matches' || kind === 'backtest_alert_rule'
      ? { kind, taskId, targetId: targetId ?? 0 }
      : { kind, taskId };
  return (await tasks.enqueue(task)) !== null;
}

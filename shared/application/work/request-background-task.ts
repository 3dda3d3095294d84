import type { Task } from '@svc/contracts/tasks.ts';
import { AppError } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { BackgroundTask, NewBackgroundTask } from './background-task-repository.ts';

export type RequestPorts = Pick<Ports, 'backgroundTasks' | 'clock' | 'deployment' | 'tasks'>;

/** A running task that says nothing for so long has nobody who works on it. */
const silentSeconds = 900;
/** One that waits counts as lost this long after the queue's own limit. */
const graceSeconds = 60;
/** What a row says whose worker was not heard of any more. */
export const lostText = 'no worker reported on it any more';

/**
 * Has a worker do something that somebody has asked for; one that is under way answers a repeat, unless no worker has
 * been heard of. Throws `unavailable` when the queue cannot be reached (resolved-platform 16.2).
 */
export async function requestBackgroundTask(
  ports: RequestPorts,
  task: NewBackgroundTask,
): Promise<{ task_id: number; already: boolean }> {
  const { backgroundTasks, clock } = ports;
  const { id, already } = await requested(ports, task);
  try {
    // A repeat makes up for a process that ended before it had queued it.
    await queueBackgroundTask(ports, { ...task, id });
  } catch (cause) {
    if (!already) await backgroundTasks.finish(id, { error: 'it could not be queued' }, clock.now());
    throw new AppError('unavailable', 'The queue of tasks cannot be reached; try again shortly', { cause });
  }
  return { task_id: id, already };
}

async function requested(
  { backgroundTasks, clock, deployment }: RequestPorts,
  task: NewBackgroundTask,
): Promise<{ readonly id: number; readonly already: boolean }> {
  const asked = await backgroundTasks.request(task, clock.now());
  const known = asked.already ? await backgroundTasks.get(asked.id) : null;
  if (known === null || !isStale(known, clock.now(), deployment)) return asked;
  await backgroundTasks.finish(known.id, { error: lostText }, clock.now());
  return backgroundTasks.request(task, clock.now());
}

/** Whether nobody seems to work on a task that has not ended. */
export function isStale(
  { status, createdAt, startedAt, heartbeatAt }: BackgroundTask,
  now: Date,
  { queueExpirySeconds }: Pick<Ports['deployment'], 'queueExpirySeconds'>,
): boolean {
  const secondsSince = (at: Date): number => (now.getTime() - at.getTime()) / 1000;
  if (status === 'running') return secondsSince(heartbeatAt ?? startedAt ?? createdAt) > silentSeconds;
  return status === 'pending' && secondsSince(createdAt) > queueExpirySeconds + graceSeconds;
}

/** Has a worker do it soon; false when it waits or is worked on already. */
export async function queueBackgroundTask(
  { tasks }: Pick<Ports, 'tasks'>,
  task: Pick<BackgroundTask, 'id' | 'kind' | 'targetId'>,
): Promise<boolean> {
  return (await tasks.enqueue(queuedAs(task))) !== null;
}

/** What the queue has of it. */
export function queuedAs({ id: taskId, kind, targetId }: Pick<BackgroundTask, 'id' | 'kind' | 'targetId'>): Task {
  return kind === 'recalculate_single_analytics' ||
    kind === 'gather_finding_matches' ||
    kind === 'apply_suppression' ||
    kind === 'backtest_alert_rule' ||
    kind === 'bulk_enrich' ||
    kind === 'test_engine' ||
    kind === 'prepare_engine_image'
    ? { kind, taskId, targetId: targetId ?? 0 }
    : { kind, taskId };
}

import type { TaskOf } from '@svc/contracts/tasks.ts';
import { deriveAgain, type DerivePorts } from '../analysis/derive-again.ts';
import type { BackgroundEnd, BackgroundKind, BackgroundTask } from './background-task-repository.ts';
import type { Ports } from '../ports/ports.ts';

export type BackgroundPorts = DerivePorts & Pick<Ports, 'backgroundTasks' | 'clock' | 'deployment' | 'log' | 'tasks'>;

const dayMs = 86_400_000;

/** What each kind does to its target; the sentence that it ends with. */
const work: Readonly<Record<BackgroundKind, (ports: BackgroundPorts, targetId: number) => Promise<string>>> = {
  recalculate_single_analytics: deriveAgain,
};

/** Does a task that an administrator has asked for, and notes what came of it. Rejects when that cannot be noted. */
export async function runBackgroundTask(ports: BackgroundPorts, { taskId }: TaskOf<BackgroundKind>): Promise<void> {
  const task = await ports.backgroundTasks.begin(taskId, ports.clock.now());
  if (task) await end(ports, task, await endOf(ports, task));
}

/** Notes that a task is not tried any more. */
export async function giveUpBackgroundTask(
  ports: BackgroundPorts,
  { kind, taskId, targetId }: TaskOf<BackgroundKind>,
  reason: string,
): Promise<void> {
  await end(ports, { id: taskId, kind, targetId }, { error: `not done: ${reason}` });
}

/** Queues again what has lost its place in the queue, or never got one; how many. */
export async function recoverBackgroundTasks(ports: BackgroundPorts): Promise<number> {
  let queued = 0;
  for (const task of await ports.backgroundTasks.inFlight()) if (await queueBackgroundTask(ports, task)) queued += 1;
  return queued;
}

/** Has a worker do it soon; false when one of its kind and target waits or is worked on already. */
export async function queueBackgroundTask(
  { tasks }: Pick<Ports, 'tasks'>,
  { id: taskId, kind, targetId }: Pick<BackgroundTask, 'id' | 'kind' | 'targetId'>,
): Promise<boolean> {
  return (await tasks.enqueue({ kind, taskId, targetId })) !== null;
}

async function endOf(ports: BackgroundPorts, { kind, targetId }: BackgroundTask): Promise<BackgroundEnd> {
  try {
    return { detail: await work[kind](ports, targetId) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

async function end(
  { backgroundTasks, clock, log }: BackgroundPorts,
  { id, kind, targetId }: Pick<BackgroundTask, 'id' | 'kind' | 'targetId'>,
  how: BackgroundEnd,
): Promise<void> {
  await backgroundTasks.finish(id, how, clock.now());
  log.info('background task', { task_id: id, kind, target: targetId, ...how });
}

/** Forgets background tasks that ended `BACKGROUND_TASK_RETENTION_DAYS` ago; how many. */
export async function removeEndedTasks({ backgroundTasks, clock, deployment }: BackgroundPorts): Promise<number> {
  const days = deployment.retentionDays.backgroundTasks;
  return days === 0 ? 0 : backgroundTasks.removeEnded(new Date(clock.now().getTime() - days * dayMs));
}

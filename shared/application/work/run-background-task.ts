import { AppError, type Actor } from '@svc/domain';
import type { TaskOf } from '@svc/contracts/tasks.ts';
import { deriveAgain, type DerivePorts } from '../analysis/derive-again.ts';
import { gatherMatches, type GatherPorts } from '../report/gather-matches.ts';
import type { BackgroundEnd, BackgroundKind, BackgroundTask } from './background-task-repository.ts';
import type { Ports } from '../ports/ports.ts';

export type BackgroundPorts = DerivePorts &
  GatherPorts &
  Pick<Ports, 'backgroundTasks' | 'clock' | 'deployment' | 'log' | 'tasks'>;

const dayMs = 86_400_000;

type Work = (ports: BackgroundPorts, targetId: number, tell: (progress: string) => Promise<void>) => Promise<string>;

/** What each kind does to its target; the sentence that it ends with. */
const work: Readonly<Record<BackgroundKind, Work>> = {
  recalculate_single_analytics: deriveAgain,
  gather_finding_matches: gatherMatches,
};

/** Does a task that somebody has asked for, and notes what came of it. Rejects when that cannot be noted. */
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

/**
 * Notes that it is wanted and has a worker do it soon; one that is under way answers a repeat. Throws `unavailable` when
 * the queue cannot be reached (resolved-platform 16.2).
 */
export async function askForBackgroundTask(
  { backgroundTasks, clock, tasks }: Pick<Ports, 'backgroundTasks' | 'clock' | 'tasks'>,
  actor: Actor,
  wanted: Pick<BackgroundTask, 'kind' | 'targetId'>,
): Promise<{ readonly task_id: number; readonly already: boolean }> {
  const task = { ...wanted, requestedBy: actor.kind === 'account' ? actor.email : '' };
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

async function endOf(ports: BackgroundPorts, { id, kind, targetId }: BackgroundTask): Promise<BackgroundEnd> {
  try {
    return { detail: await work[kind](ports, targetId, (progress) => ports.backgroundTasks.tell(id, progress)) };
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

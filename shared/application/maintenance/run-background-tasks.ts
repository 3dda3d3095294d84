import { deriveAgain, type DerivePorts } from '../analysis/derive-again.ts';
import type { BackgroundEnd, BackgroundKind, BackgroundTask } from '../ports/background-task-repository.ts';
import type { Ports } from '../ports/ports.ts';

export type BackgroundPorts = DerivePorts & Pick<Ports, 'backgroundTasks' | 'clock' | 'deployment' | 'log'>;

/** One that began so long ago and has not ended is begun again: its process has ended. */
const lostMs = 900_000;
/** A task that ends its process so often is not begun again. */
const mostAttempts = 3;
const dayMs = 86_400_000;

/** What each kind does to its target; the sentence that it ends with. */
const work: Readonly<Record<BackgroundKind, (ports: BackgroundPorts, targetId: number) => Promise<string>>> = {
  recalculate_single_analytics: deriveAgain,
};

/** Does the tasks that wait, one by one; how many. */
export async function runBackgroundTasks(ports: BackgroundPorts): Promise<number> {
  for (let done = 0; ; done += 1) {
    const now = ports.clock.now();
    const task = await ports.backgroundTasks.claim(now, new Date(now.getTime() - lostMs));
    if (task === null) return done;
    const end = await endOf(ports, task);
    await ports.backgroundTasks.finish(task.id, end, ports.clock.now());
    ports.log.info('background task', { task_id: task.id, kind: task.kind, target: task.targetId, ...end });
  }
}

async function endOf(ports: BackgroundPorts, { attempts, kind, targetId }: BackgroundTask): Promise<BackgroundEnd> {
  if (attempts > mostAttempts) return { error: `not done: its process ended ${mostAttempts} times` };
  try {
    return { detail: await work[kind](ports, targetId) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Forgets background tasks that ended `BACKGROUND_TASK_RETENTION_DAYS` ago; how many. */
export async function removeEndedTasks({ backgroundTasks, clock, deployment }: BackgroundPorts): Promise<number> {
  const days = deployment.retentionDays.backgroundTasks;
  return days === 0 ? 0 : backgroundTasks.removeEnded(new Date(clock.now().getTime() - days * dayMs));
}

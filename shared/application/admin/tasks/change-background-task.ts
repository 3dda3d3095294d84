import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { BackfillKind } from '@svc/contracts/tasks.ts';
import { AppError, notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { BackgroundTask } from '../work/background-task-repository.ts';
import { requestBackgroundTask } from '../work/request-background-task.ts';

const mostShown = 50;

/** What administrators have had done aside, and how far it is; the newest first. */
export async function listBackgroundTasks({
  backgroundTasks,
}: Pick<Ports, 'backgroundTasks'>): Promise<OutputOf<typeof operations.listBackgroundTasks>> {
  return { tasks: (await backgroundTasks.recent(mostShown)).map(shown) };
}

/** Has a task do no more than it is doing; what it has done stays. */
export async function cancelBackgroundTask(
  { backgroundTasks, clock }: Pick<Ports, 'backgroundTasks' | 'clock'>,
  _actor: Actor,
  { id }: InputOf<typeof operations.cancelBackgroundTask>,
): Promise<OutputOf<typeof operations.cancelBackgroundTask>> {
  const cancelled = await backgroundTasks.cancel(id, clock.now());
  if (cancelled !== null) return shown(cancelled);
  if (await backgroundTasks.exists(id)) throw new AppError('conflict', 'The task has ended already');
  throw notFound('task');
}

/** A use case that has everything of this kind made anew (resolved-platform 16.2). */
export function backfilling(kind: BackfillKind) {
  return (
    ports: Pick<Ports, 'backgroundTasks' | 'clock' | 'tasks'>,
    actor: Actor,
  ): Promise<OutputOf<typeof operations.backfillEntities>> => {
    const requestedBy = actor.kind === 'account' ? actor.email : '';
    return requestBackgroundTask(ports, { kind, targetId: null, requestedBy });
  };
}

function shown(task: BackgroundTask): OutputOf<typeof operations.cancelBackgroundTask> {
  return {
    id: task.id,
    kind: task.kind,
    target_id: task.targetId,
    requested_by: task.requestedBy,
    status: task.status,
    detail: task.detail,
    error: task.errorMessage,
    created_at: task.createdAt.toISOString(),
    started_at: task.startedAt?.toISOString() ?? null,
    heartbeat_at: task.heartbeatAt?.toISOString() ?? null,
    finished_at: task.finishedAt?.toISOString() ?? null,
  };
}

import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { keyOf, type BackfillKind, type StorageKind } from '@svc/contracts/tasks.ts';
import { AppError, notFound, type Actor } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import type { BackgroundTask } from '../../work/background-task-repository.ts';
import {
  isStale,
  lostText,
  queuedAs,
  requestBackgroundTask,
  type RequestPorts,
} from '../../work/request-background-task.ts';
import { toBackgroundTaskRow } from './background-task-row.ts';

type ChangePorts = Pick<Ports, 'backgroundTasks' | 'clock' | 'ledger'>;

/** A use case that has everything of this kind made anew, or tidied (resolved-platform 16.2). */
export function requesting(kind: BackfillKind | StorageKind) {
  return (ports: RequestPorts, actor: Actor): Promise<OutputOf<typeof operations.backfillEntities>> =>
    requestBackgroundTask(ports, { kind, targetId: null, requestedBy: addressOf(actor) });
}

/** Has a task do no more than it is doing; what it has done stays. */
export async function cancelBackgroundTask(
  ports: ChangePorts,
  _actor: Actor,
  { id }: InputOf<typeof operations.cancelBackgroundTask>,
): Promise<OutputOf<typeof operations.cancelBackgroundTask>> {
  const { kind } = await known(ports, id);
  // It is one statement after the other, each of which is to end.
  if (kind === 'vacuum_database') throw new AppError('conflict', 'This task cannot be stopped; it ends by itself');
  const cancelled = await ports.backgroundTasks.cancel(id, ports.clock.now());
  if (cancelled === null) throw new AppError('conflict', 'The task has ended already');
  await ports.ledger.remove(keyOf(queuedAs(cancelled)));
  return toBackgroundTaskRow(cancelled);
}

/** Has the same done again, as a task of its own; one that is under way answers. */
export async function runTaskAgain(
  ports: RequestPorts,
  actor: Actor,
  { id }: InputOf<typeof operations.runTaskAgain>,
): Promise<OutputOf<typeof operations.runTaskAgain>> {
  const { kind, targetId } = await known(ports, id);
  // Its matches hang on the back-test that it was for, which its owner begins anew.
  if (kind === 'backtest_alert_rule') throw new AppError('conflict', 'A back-test is begun again on its own page');
  return requestBackgroundTask(ports, { kind, targetId, requestedBy: addressOf(actor) });
}

/** Closes a task that no worker reports on, so that it can be run again. */
export async function recoverTask(
  ports: ChangePorts & Pick<Ports, 'deployment'>,
  _actor: Actor,
  { id }: InputOf<typeof operations.recoverTask>,
): Promise<OutputOf<typeof operations.recoverTask>> {
  const { backgroundTasks, clock, deployment, ledger } = ports;
  const task = await known(ports, id);
  if (task.finishedAt !== null) throw new AppError('conflict', 'The task has ended already');
  if (!isStale(task, clock.now(), deployment))
    throw new AppError('conflict', 'A worker may still be at it; cancel the task to end it');
  await backgroundTasks.finish(id, { error: lostText }, clock.now());
  await ledger.remove(keyOf(queuedAs(task)));
  return toBackgroundTaskRow(await known(ports, id));
}

async function known({ backgroundTasks }: Pick<Ports, 'backgroundTasks'>, id: number): Promise<BackgroundTask> {
  const task = await backgroundTasks.get(id);
  if (task === null) throw notFound('task');
  return task;
}

/** Who asked, as others are told. */
export function addressOf(actor: Actor): string {
  return actor.kind === 'account' ? actor.email : '';
}

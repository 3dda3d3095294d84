import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, isTerminal, notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** Has a worker derive the analytics of a job again; one that is under way answers a repeat. */
export async function recalculateAnalytics(
  { backgroundTasks, clock, jobs }: Pick<Ports, 'backgroundTasks' | 'clock' | 'jobs'>,
  actor: Actor,
  { id }: InputOf<typeof operations.recalculateAnalytics>,
): Promise<OutputOf<typeof operations.recalculateAnalytics>> {
  const record = await jobs.get(id);
  if (!record) throw notFound('job');
  if (!isTerminal(record.job.status))
    throw new AppError('conflict', 'The analysis is still under way; recalculate when it has ended');
  const requestedBy = actor.kind === 'account' ? actor.email : '';
  const task = { kind: 'recalculate_single_analytics', targetId: id, requestedBy } as const;
  const { id: taskId, already } = await backgroundTasks.request(task, clock.now());
  return { task_id: taskId, already };
}

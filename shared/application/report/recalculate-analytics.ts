import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, isTerminal, type Actor } from '@svc/domain';
import { requestBackgroundTask, type RequestPorts } from '../work/request-background-task.ts';
import type { Ports } from '../ports/ports.ts';
import { knownJob } from '../jobs/visible-job.ts';

/** Has a worker derive the analytics of a job again; throws `unavailable`. */
export async function recalculateAnalytics(
  ports: RequestPorts & Pick<Ports, 'jobs'>,
  actor: Actor,
  { id }: InputOf<typeof operations.recalculateAnalytics>,
): Promise<OutputOf<typeof operations.recalculateAnalytics>> {
  const record = await knownJob(ports, id);
  if (!isTerminal(record.job.status))
    throw new AppError('conflict', 'The analysis is still under way; recalculate when it has ended');
  const requestedBy = actor.kind === 'account' ? actor.email : '';
  return requestBackgroundTask(ports, { kind: 'recalculate_single_analytics', targetId: id, requestedBy });
}

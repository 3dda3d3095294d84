import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, notFound, type Actor } from '@svc/domain';
import { endAiRun, stoppedRun } from '../../ai/begin-run.ts';
import { cancelJob, type CancelPorts } from '../../jobs/cancel-job.ts';
import type { Ports } from '../../ports/ports.ts';
import type { QueuedTask } from '../../ports/queued-tasks.ts';

type RevokePorts = CancelPorts & Pick<Ports, 'backgroundTasks' | 'queuedTasks' | 'webhookAttempts'>;

/**
 * Takes a task that no worker has begun out of the queue, and ends what it was for, so that nothing waits for it: its
 * job, its background task, its AI run, its delivery. A periodic one comes again with its schedule.
 */
export async function revokeQueuedTask(
  ports: RevokePorts,
  actor: Actor,
  { queue_id: key }: InputOf<typeof operations.revokeQueuedTask>,
): Promise<OutputOf<typeof operations.revokeQueuedTask>> {
  const queued = await ports.queuedTasks.get(key);
  if (queued === null) throw notFound('queued task');
  if (queued === 'held') throw begun();
  const isEnded = await endWork(ports, actor, queued);
  const isRemoved = await ports.queuedTasks.remove(key);
  // A worker was quicker; it finds that there is nothing to do where what it was for has ended.
  if (!isRemoved && !isEnded) throw begun();
  return { queue_id: key, kind: queued.task.kind };
}

/** Whether there was something to end beside the task itself. */
async function endWork(ports: RevokePorts, actor: Actor, { task }: QueuedTask): Promise<boolean> {
  switch (task.kind) {
    case 'run_analysis':
      await cancelJob(ports, actor, { id: task.jobId }).catch((error: unknown) => {
        // A job that was deleted has left its task behind.
        if (!(error instanceof AppError && error.code === 'not_found')) throw error;
      });
      return true;
    case 'run_ai_analysis':
      return endAiRun(ports, task.runId, stoppedRun(ports.clock.now()));
    case 'deliver_webhook': {
      const { deliveryId, attempt } = task;
      const now = ports.clock.now();
      const attempted = await ports.webhookAttempts.begin({ deliveryId, attempt }, now, now);
      if (attempted === null) return false;
      const error = 'An administrator took it out of the queue';
      const ended = { ok: false, statusCode: null, error, durationMs: null, nextAttemptAt: null };
      await ports.webhookAttempts.end({ deliveryId, attempt }, ended);
      return true;
    }
    default:
      if (!('taskId' in task)) return false;
      return (await ports.backgroundTasks.cancel(task.taskId, ports.clock.now())) !== null;
  }
}

function begun(): AppError {
  return new AppError('conflict', 'A worker has begun it; cancel its job or task instead');
}

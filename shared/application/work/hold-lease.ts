import { taskKinds, type Task } from '@svc/contracts/tasks.ts';
import type { Ports } from '../ports/ports.ts';
import type { Lease } from '../ports/task-queue.ts';

/** Whether the task is done, as far as its queue is concerned, or waits for a worker again. */
export type LeaseEnd = 'finished' | 'waits';

/** Reasons by which a worker ends its part before the task's end. */
export class WorkerStopping extends Error {
  override readonly name = 'WorkerStopping';
}
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/**
 * Shows signs of life for as long as the work takes. `ending` aborts with `LeaseLost` when another worker has the task,
 * or nobody wants it any more, and its kind can be cancelled; what cannot is done to its end.
 */
export async function holdLease<T>(
  { deployment, log, tasks }: Pick<Ports, 'deployment' | 'log' | 'tasks'>,
  lease: Lease<Task>,
  ending: AbortController,
  work: () => Promise<T>,
): Promise<T> {
  const { leaseSeconds, canCancel } = taskKinds[lease.task.kind];
  const longest = (leaseSeconds ?? Number.POSITIVE_INFINITY) / 3;
  const beat = async (): Promise<void> => {
    try {
      if (!(await tasks.extend(lease)) && canCancel) ending.abort(new LeaseLost('another worker has the task'));
    } catch (error) {
      log.warn('no sign of life could be given', { error });
    }
  };
  const heart = setInterval(() => void beat(), Math.min(deployment.heartbeatSeconds, longest) * 1000);
  try {
    return await work();
  } finally {
    clearInterval(heart);
  }
}

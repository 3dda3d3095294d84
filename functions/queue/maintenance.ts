import { compose } from '@svc/adapters/compose.ts';
import { deliverAtOnce } from '@svc/application/happenings/deliveries.ts';
import { workPorts } from '@svc/application/work/handle-task.ts';
import { readTask } from '@svc/contracts/tasks.ts';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { workLease, workMessages } from './work-messages.ts';

const ports = compose('deliveries', ...workPorts);

/** What EventBridge Scheduler invokes the function with, for tasks that wait for no other. */
export interface Tick {
  readonly kind: string;
}

deliverAtOnce(ports);

/**
 * The sweeps that EventBridge Scheduler has put into their queue, and each tick that it invokes the function with
 * instead. A tick whose task is still under way does nothing. Throws for one of a kind that is not known here.
 */
export async function handler(
  event: Pick<SQSEvent, 'Records'> | Tick,
  context: Context,
): Promise<SQSBatchResponse | null> {
  if ('Records' in event) return workMessages(ports, 'sweep', event, context);
  const task = readTask(event);
  if (task.kind === 'unknown') throw new Error(`There is no task ${event.kind}`);
  const lease = await ports.deliveries.begin(task, `lambda:${context.awsRequestId}`);
  if (lease) await workLease(ports, lease, context);
  return null;
}

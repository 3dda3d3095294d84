import type { Ports } from '@svc/application/ports/ports.ts';
import { withLogFields } from '@svc/application/ports/log.ts';
import type { Lane, Lease } from '@svc/application/ports/task-queue.ts';
import { fieldsOf, handleTask, type WorkPorts } from '@svc/application/work/handle-task.ts';
import { OutOfTime, type LeaseEnd } from '@svc/application/work/hold-lease.ts';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';

/** What it takes to leave a task in good order before Lambda ends the function. */
const leavingMs = 10_000;

export type MessagePorts = WorkPorts & Pick<Ports, 'deliveries'>;

/** Does what a lease is for, and ends early when it is told to. */
type Work = (lease: Lease, leave: AbortSignal) => Promise<LeaseEnd>;

/** Messages of a lane, and the run of the function that has them. */
interface Batch {
  readonly lane: Lane;
  readonly event: Pick<SQSEvent, 'Records'>;
  readonly context: Context;
}

/** Does the tasks that messages of a lane name, of whichever kind. */
export function workMessages(
  ports: MessagePorts,
  lane: Lane,
  event: Pick<SQSEvent, 'Records'>,
  context: Context,
): Promise<SQSBatchResponse> {
  return settleMessages(ports, { lane, event, context }, workOf(ports));
}

/** Does a task until shortly before the function ends. */
export function workLease(ports: MessagePorts, lease: Lease, context: Context): Promise<LeaseEnd> {
  return inTime(workOf(ports), lease, context);
}

/**
 * Does the task that each message of a lane names. A message that is reported as failed stays in the queue; it is one
 * that another worker holds, whose task waits for another attempt, or that is poison.
 */
export async function settleMessages(
  ports: Pick<Ports, 'deliveries' | 'log'>,
  { lane, event, context }: Batch,
  work: Work,
): Promise<SQSBatchResponse> {
  const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
  const isSettled = (record: SQSRecord): Promise<boolean> =>
    withLogFields({ request_id: context.awsRequestId, message_id: record.messageId }, async () => {
      try {
        const { body, receiptHandle, attributes } = record;
        const delivery = { lane, body, receipt: receiptHandle, submitter: attributes?.MessageGroupId };
        const lease = await ports.deliveries.accept(delivery, `lambda:${context.awsRequestId}`);
        if (typeof lease === 'string') return lease === 'gone';
        return (await inTime(work, lease, context)) === 'finished';
      } catch (error) {
        ports.log.error('the message could not be handled', { error });
        return false;
      }
    });
  for (const record of event.Records) {
    if (!(await isSettled(record))) batchItemFailures.push({ itemIdentifier: record.messageId });
  }
  return { batchItemFailures };
}

function workOf(ports: MessagePorts): Work {
  return (lease, leave) => handleTask(ports, lease, { leave, isSmall: true });
}

async function inTime(work: Work, lease: Lease, context: Context): Promise<LeaseEnd> {
  const outOfTime = new AbortController();
  const left = context.getRemainingTimeInMillis() - leavingMs;
  const deadline = setTimeout(() => outOfTime.abort(new OutOfTime('the function must end')), left);
  try {
    return await withLogFields(fieldsOf(lease), () => work(lease, outOfTime.signal));
  } finally {
    clearTimeout(deadline);
  }
}

import type { Ports } from '@svc/application/ports/ports.ts';
import { withLogFields } from '@svc/application/ports/log.ts';
import type { Lane, Lease } from '@svc/application/ports/task-queue.ts';
import { fieldsOf, handleTask, type WorkPorts } from '@svc/application/work/handle-task.ts';
import { OutOfTime, type LeaseEnd } from '@svc/application/work/hold-lease.ts';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';

/** What it takes to leave a task in good order before Lambda ends the function. */
const leavingMs = 10_000;

export type MessagePorts = WorkPorts & Pick<Ports, 'deliveries'>;

/**
 * Does the task that each message of a lane names. A message that is reported as failed stays in the queue; it is one
 * that another worker holds, whose task waits for another attempt, or that is poison.
 */
export async function workMessages(
  ports: MessagePorts,
  lane: Lane,
  event: Pick<SQSEvent, 'Records'>,
  context: Context,
): Promise<SQSBatchResponse> {
  const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
  for (const record of event.Records) {
    if (!(await isSettled(ports, lane, record, context))) {
      batchItemFailures.push({ itemIdentifier: record.messageId });
    }
  }
  return { batchItemFailures };
}

/** Does a task until shortly before the function ends. */
export async function workLease(ports: MessagePorts, lease: Lease, context: Context): Promise<LeaseEnd> {
  const outOfTime = new AbortController();
  const left = context.getRemainingTimeInMillis() - leavingMs;
  const deadline = setTimeout(() => outOfTime.abort(new OutOfTime('the function must end')), left);
  try {
    return await withLogFields(fieldsOf(lease), () =>
      handleTask(ports, lease, { leave: outOfTime.signal, isSmall: true }),
    );
  } finally {
    clearTimeout(deadline);
  }
}

async function isSettled(ports: MessagePorts, lane: Lane, record: SQSRecord, context: Context): Promise<boolean> {
  const fields = { request_id: context.awsRequestId, message_id: record.messageId };
  return withLogFields(fields, async () => {
    try {
      const { body, receiptHandle, attributes } = record;
      const delivery = { lane, body, receipt: receiptHandle, submitter: attributes?.MessageGroupId };
      const lease = await ports.deliveries.accept(delivery, `lambda:${context.awsRequestId}`);
      if (typeof lease === 'string') return lease === 'gone';
      return (await workLease(ports, lease, context)) === 'finished';
    } catch (error) {
      ports.log.error('the message could not be handled', { error });
      return false;
    }
  });
}

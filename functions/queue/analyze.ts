import { compose } from '@svc/adapters/compose.ts';
import { handleLease, moveToHeavy, OutOfTime, type LeasePorts } from '@svc/application/analysis/handle-lease.ts';
import { withLogFields } from '@svc/application/ports/log.ts';
import type { TaskDeliveries } from '@svc/application/ports/task-deliveries.ts';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';

/** What it takes to leave a job in good order before Lambda ends the function. */
const leavingMs = 10_000;

const ports: LeasePorts & { readonly deliveries: TaskDeliveries } = compose(
  'clock',
  'deliveries',
  'deployment',
  'digests',
  'engines',
  'files',
  'jobs',
  'launcher',
  'ledger',
  'log',
  'objects',
  'results',
  'ruleArtifacts',
  'ruleCompiler',
  'rulePacks',
  'settings',
  'tasks',
  'workflows',
);

/**
 * The fast lane: analyses the job that each message names. A message that is reported as failed stays in
 * the queue; it is one that another worker holds, whose job waits for another attempt, or that is poison.
 */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
  for (const record of event.Records) {
    if (!(await isSettled(record, context))) batchItemFailures.push({ itemIdentifier: record.messageId });
  }
  return { batchItemFailures };
}

async function isSettled(record: SQSRecord, context: Context): Promise<boolean> {
  const fields = { request_id: context.awsRequestId, message_id: record.messageId };
  return withLogFields(fields, () =>
    analyze(record, context).catch((error: unknown) => {
      ports.log.error('the message could not be handled', { error });
      return false;
    }),
  );
}

async function analyze({ body, receiptHandle, attributes }: SQSRecord, context: Context): Promise<boolean> {
  const delivery = { body, receipt: receiptHandle, submitter: attributes?.MessageGroupId };
  const lease = await ports.deliveries.accept(delivery, `lambda:${context.awsRequestId}`);
  if (typeof lease === 'string') return lease === 'gone';
  const outOfTime = new AbortController();
  const left = context.getRemainingTimeInMillis() - leavingMs;
  const deadline = setTimeout(() => outOfTime.abort(new OutOfTime('the function must end')), left);
  try {
    // Whatever ended the first attempt here may end the next one, too; a larger worker has more of everything.
    const isOwn = lease.attempt === 1 || !ports.deployment.heavyQueue;
    const end = await withLogFields({ job_id: lease.jobId }, () =>
      isOwn ? handleLease(ports, lease, outOfTime.signal) : moveToHeavy(ports, lease, 'interrupted'),
    );
    return end === 'finished';
  } finally {
    clearTimeout(deadline);
  }
}

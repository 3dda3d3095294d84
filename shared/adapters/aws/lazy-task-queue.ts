import type { TaskLedger } from '@svc/application/ports/task-ledger.ts';
import type { TaskQueue } from '@svc/application/ports/task-queue.ts';
import type { SqsTaskQueue } from './task-queue.ts';

export interface AwsTaskQueueOptions {
  readonly queueUrl: string;
  /** DynamoDB table of the ledger. */
  readonly table: string;
  readonly leaseSeconds: number;
}

/**
 * The queue in SQS and its ledger in DynamoDB; region, credentials and endpoints are the AWS SDK's own
 * (`AWS_REGION`, `AWS_ENDPOINT_URL_SQS`, …). The SDK is loaded at the first use, so that those who do
 * without it never wait for it.
 */
export function lazyTaskQueue(options: AwsTaskQueueOptions): TaskQueue & TaskLedger & { close(): Promise<void> } {
  let opening: ReturnType<typeof openTaskQueue> | null = null;
  const queue = async (): Promise<SqsTaskQueue> => (await (opening ??= openTaskQueue(options))).queue;
  return {
    enqueue: async (jobId) => (await queue()).enqueue(jobId),
    receive: async (how) => (await queue()).receive(how),
    extend: async (lease) => (await queue()).extend(lease),
    acknowledge: async (lease) => (await queue()).acknowledge(lease),
    release: async (lease, how) => (await queue()).release(lease, how),
    state: async (jobId) => (await queue()).state(jobId),
    dropLeases: async () => (await queue()).dropLeases(),
    remove: async (jobId) => (await queue()).remove(jobId),
    close: async () => (await opening)?.close(),
  };
}

async function openTaskQueue({ queueUrl, table, leaseSeconds }: AwsTaskQueueOptions): Promise<{
  readonly queue: SqsTaskQueue;
  close(): void;
}> {
  const [{ SQSClient }, { DynamoDBClient }, { DynamoDBDocumentClient }, { DynamoTaskLedger }, own] = await Promise.all([
    import('@aws-sdk/client-sqs'),
    import('@aws-sdk/client-dynamodb'),
    import('@aws-sdk/lib-dynamodb'),
    import('./task-ledger.ts'),
    import('./task-queue.ts'),
  ]);
  // The endpoint is the configured one, not what a queue's URL says.
  const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
  const dynamo = new DynamoDBClient({});
  const ledger = new DynamoTaskLedger(DynamoDBDocumentClient.from(dynamo), table, leaseSeconds);
  return {
    queue: new own.SqsTaskQueue(sqs, ledger, { queueUrl, leaseSeconds }),
    close: () => {
      sqs.destroy();
      dynamo.destroy();
    },
  };
}

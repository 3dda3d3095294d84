import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DynamoTaskLedger } from './task-ledger.ts';
import { SqsTaskQueue } from './task-queue.ts';

export interface AwsTaskQueueOptions {
  readonly queueUrl: string;
  /** DynamoDB table of the ledger. */
  readonly table: string;
  readonly leaseSeconds: number;
}

export interface OpenTaskQueue {
  readonly queue: SqsTaskQueue;
  /** Ends its connections. */
  close(): void;
}

/** The queue over clients of its own, configured by the AWS SDK's environment. */
export function openTaskQueue({ queueUrl, table, leaseSeconds }: AwsTaskQueueOptions): OpenTaskQueue {
  // The endpoint is the configured one, not what a queue's URL says.
  const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
  const dynamo = new DynamoDBClient({});
  const ledger = new DynamoTaskLedger(DynamoDBDocumentClient.from(dynamo), table, leaseSeconds);
  return {
    queue: new SqsTaskQueue(sqs, ledger, { queueUrl, leaseSeconds }),
    close: () => {
      sqs.destroy();
      dynamo.destroy();
    },
  };
}

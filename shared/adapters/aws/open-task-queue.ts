import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Lane } from '@svc/application/ports/task-queue.ts';
import { clientDefaults } from './client-defaults.ts';
import { DynamoQueuedTasks } from './queued-tasks.ts';
import { SqsLanes, type LaneUrls } from './sqs-lanes.ts';
import { DynamoTaskLedger } from './task-ledger.ts';
import { SqsTaskQueue } from './task-queue.ts';

export interface AwsTaskQueueOptions {
  readonly urls: LaneUrls;
  /** Lanes that this process takes tasks from. */
  readonly lanes: readonly Lane[];
  /** DynamoDB table of the ledger. */
  readonly table: string;
  readonly leaseSeconds: number;
}

export interface OpenTaskQueue {
  readonly queue: SqsTaskQueue;
  /** Ends its connections. */
  readonly close: () => void;
}

/** The queue over clients of its own, configured by the AWS SDK's environment. */
export function openTaskQueue({ urls, lanes, table, leaseSeconds }: AwsTaskQueueOptions): OpenTaskQueue {
  // The endpoint is the configured one, not what a queue's URL says.
  const sqs = new SQSClient({ ...clientDefaults(), useQueueUrlAsEndpoint: false });
  const dynamo = new DynamoDBClient(clientDefaults());
  const ledger = new DynamoTaskLedger(DynamoDBDocumentClient.from(dynamo), table, leaseSeconds);
  return {
    queue: new SqsTaskQueue(new SqsLanes(sqs, urls), ledger, { leaseSeconds, lanes }),
    close: () => {
      sqs.destroy();
      dynamo.destroy();
    },
  };
}

/** What waits in it, over a client of its own. */
export function openQueuedTasks(table: string): { readonly queued: DynamoQueuedTasks; readonly close: () => void } {
  const dynamo = new DynamoDBClient(clientDefaults());
  return {
    queued: new DynamoQueuedTasks(DynamoDBDocumentClient.from(dynamo), table),
    close: () => dynamo.destroy(),
  };
}

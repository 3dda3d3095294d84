import type { QueueDepths } from '@svc/application/ports/queue-depths.ts';
import type { TaskDeliveries } from '@svc/application/ports/task-deliveries.ts';
import type { TaskLedger } from '@svc/application/ports/task-ledger.ts';
import type { TaskQueue } from '@svc/application/ports/task-queue.ts';
import { lazy } from '../lazy.ts';
import type { AwsTaskQueueOptions } from './open-task-queue.ts';

type AwsTaskQueue = TaskQueue & TaskLedger & TaskDeliveries & QueueDepths;

/**
 * The queue in SQS and its ledger in DynamoDB; region, credentials and endpoints are the AWS SDK's own
 * (`AWS_REGION`, `AWS_ENDPOINT_URL_SQS`, …).
 */
export function lazyTaskQueue(options: AwsTaskQueueOptions): { port: AwsTaskQueue; close: () => Promise<void> } {
  let end: (() => void) | undefined;
  const { port, opened } = lazy<AwsTaskQueue>(async () => {
    const { queue, close } = (await import('./open-task-queue.ts')).openTaskQueue(options);
    end = close;
    return queue;
  });
  const close = async (): Promise<void> => {
    await opened();
    end?.();
  };
  return { port, close };
}

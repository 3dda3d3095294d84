import type { TaskDeliveries } from '@svc/application/ports/task-deliveries.ts';
import type { TaskLedger } from '@svc/application/ports/task-ledger.ts';
import type { TaskQueue } from '@svc/application/ports/task-queue.ts';
import type { AwsTaskQueueOptions, OpenTaskQueue } from './open-task-queue.ts';
import type { SqsTaskQueue } from './task-queue.ts';

/**
 * The queue in SQS and its ledger in DynamoDB; region, credentials and endpoints are the AWS SDK's own
 * (`AWS_REGION`, `AWS_ENDPOINT_URL_SQS`, …). The SDK is loaded at the first use, so that those who do
 * without it never wait for it.
 */
export function lazyTaskQueue(
  options: AwsTaskQueueOptions,
): TaskQueue & TaskLedger & TaskDeliveries & { close(): Promise<void> } {
  let opening: Promise<OpenTaskQueue> | null = null;
  const open = async (): Promise<OpenTaskQueue> => (await import('./open-task-queue.ts')).openTaskQueue(options);
  const queue = async (): Promise<SqsTaskQueue> => (await (opening ??= open())).queue;
  return {
    enqueue: async (task, how) => (await queue()).enqueue(task, how),
    receive: async (how) => (await queue()).receive(how),
    accept: async (delivery, worker) => (await queue()).accept(delivery, worker),
    begin: async (task, worker) => (await queue()).begin(task, worker),
    isWaitedFor: async () => (await queue()).isWaitedFor(),
    extend: async (lease) => (await queue()).extend(lease),
    acknowledge: async (lease) => (await queue()).acknowledge(lease),
    release: async (lease, how) => (await queue()).release(lease, how),
    state: async (key) => (await queue()).state(key),
    dropLeases: async () => (await queue()).dropLeases(),
    remove: async (key) => (await queue()).remove(key),
    bury: async (key, reason) => (await queue()).bury(key, reason),
    depth: async (lane) => (await queue()).depth(lane),
    close: async () => (await opening)?.close(),
  };
}

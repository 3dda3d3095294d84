import type { QueuedTasks } from '@svc/application/ports/queued-tasks.ts';
import { lazy } from '../lazy.ts';

/** The queue as its ledger in DynamoDB tells of it. */
export function lazyQueuedTasks(table: string): { port: QueuedTasks; close: () => Promise<void> } {
  let end: (() => void) | undefined;
  const { port, opened } = lazy<QueuedTasks>(async () => {
    const { queued, close } = (await import('./open-task-queue.ts')).openQueuedTasks(table);
    end = close;
    return queued;
  });
  const close = async (): Promise<void> => {
    await opened();
    end?.();
  };
  return { port, close };
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { NewActivity } from '@svc/domain';
import type { ActivityLog } from './activity-log.ts';

interface Waiting {
  readonly row: NewActivity;
  readonly settle: (error?: unknown) => void;
}

const queues = new WeakMap<ActivityLog, Waiting[]>();
/** Rows of one transaction. */
const most = 500;
/**
 * Where rows come while others are written, hundreds come a second: they wait for so many milliseconds to go together,
 * which costs the database a third of what it would.
 */
const gatherMs = 40;

/**
 * Writes a row; those that come while others are written go together with the next, since each writing locks the end of
 * the chain. Resolves when the row is committed.
 */
export function batched(log: ActivityLog, row: NewActivity): Promise<void> {
  return new Promise((resolve, reject) => {
    const waiting = queues.get(log);
    const settle = (error?: unknown): void => (error === undefined ? resolve() : reject(error));
    if (waiting !== undefined) {
      waiting.push({ row, settle });
      return;
    }
    const queue = [{ row, settle }];
    queues.set(log, queue);
    void drain(log, queue);
  });
}

async function drain(log: ActivityLog, queue: Waiting[]): Promise<void> {
  while (queue.length > 0) {
    const batch = queue.splice(0, most);
    const error = await log.write(batch.map(({ row }) => row)).then(
      () => undefined,
      (reason: unknown) => reason ?? new Error('not written'),
    );
    for (const { settle } of batch) settle(error);
    if (queue.length > 0 && queue.length < most) await sleep(gatherMs);
  }
  queues.delete(log);
}

import type { Lane } from './task-queue.ts';

/** What is known of queued and running tasks, by their keys: the sweep's, the dispatcher's and the cancelling user's side of the queue. */
export interface TaskLedger {
  /** The entry; `held` while a worker's lease is alive; null when nothing of this key is queued. */
  state(key: string): Promise<{ attempts: number; held: boolean } | null>;
  /** Ends the leases of workers of this machine whose process is gone: for the start of one that is alone there. */
  dropLeases(): Promise<void>;
  /** Removes an entry, whoever holds it. */
  remove(key: string): Promise<void>;
  /** Removes it, too, and leaves word of it and the reason where operators look for what was given up. */
  bury(key: string, reason: string): Promise<void>;
  /** Tasks of a lane that wait or are worked on, about; of all where there are no lanes. */
  depth(lane: Lane): Promise<number>;
}

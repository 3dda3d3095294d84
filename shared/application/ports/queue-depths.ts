import type { Lane } from './task-queue.ts';

/** How much a lane has to do. */
export interface LaneDepth {
  readonly lane: Lane;
  /** Tasks that a worker could begin now. */
  readonly waiting: number;
  /** Tasks whose time is yet to come. */
  readonly delayed: number;
  readonly underWay: number;
  /** For how many seconds the first of those that wait has been there; null when none waits, or the queue does not tell. */
  readonly oldestSeconds: number | null;
}

/** What there is in the queue, in numbers. */
export interface QueueDepths {
  /** Of each lane that has a queue of its own; one that shares it is counted there. About, where others count too. */
  lanes(): Promise<readonly LaneDepth[]>;
}

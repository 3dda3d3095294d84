import type { Lane, Task, UnknownTask } from '@svc/contracts/tasks.ts';

/** A task that no worker holds. */
export interface QueuedTask {
  readonly key: string;
  readonly task: Task | UnknownTask;
  readonly lane: Lane;
  /** How often it was begun. */
  readonly attempts: number;
  /** Null where that is not known. */
  readonly queuedAt: Date | null;
  /** Nobody takes it before; null for at once. */
  readonly dueAt: Date | null;
}

export interface QueuedPart {
  /** How many there are. */
  readonly size: number;
  /** Whether there are more, as only so many were counted. */
  readonly isMore: boolean;
  /** The first ones. */
  readonly entries: readonly QueuedTask[];
}

/** The queue as an operator sees it. */
export interface QueuedTasks {
  /** What waits for a worker, the longest first; and what waits for its time, the next first. */
  list(most: number): Promise<{ readonly waiting: QueuedPart; readonly delayed: QueuedPart }>;
  /** One of them; `held` when a worker has it, null when nothing of this key is queued. */
  get(key: string): Promise<QueuedTask | 'held' | null>;
  /** Takes one out; false when a worker has it, or it is not there. */
  remove(key: string): Promise<boolean>;
}

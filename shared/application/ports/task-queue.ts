import type { Lane, Task, TaskKind, TaskOf, UnknownTask } from '@svc/contracts/tasks.ts';

export { type Lane } from '@svc/contracts/tasks.ts';

/** A claim on one task, held by one worker until it lapses. */
export interface Lease<T = Task | UnknownTask> {
  readonly task: T;
  /** Of which at most one task is in flight. */
  readonly key: string;
  /** 1 for the first time a worker received it. */
  readonly attempt: number;
  /** Tells this claim from an earlier or later one. */
  readonly token: string;
}

export type LeaseOf<K extends TaskKind> = Lease<TaskOf<K>>;

export interface EnqueueOptions {
  /** @default its kind's */
  readonly lane?: Lane;
  /** At most one task of it is in flight. @default what `keyOf` says */
  readonly key?: string;
  /** Who takes turns with others; at most 16 characters. @default all who are not told apart */
  readonly submitter?: string;
  /** Before this time has passed nobody receives it. @default 0 */
  readonly delaySeconds?: number;
}

export interface ReceiveOptions {
  readonly worker: string;
  /** How long to wait for a task before answering null. */
  readonly waitMs: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
  /** Takes tasks of these lanes only; a queue that is given others anyway may ignore it. @default all */
  readonly lanes?: readonly Lane[] | undefined;
}

export interface ReleaseOptions {
  readonly delaySeconds: number;
  /** False when the worker did nothing wrong. */
  readonly countAttempt: boolean;
  /** Where the task goes on. @default where it was */
  readonly lane?: Lane;
}

/**
 * Tasks waiting for a worker (`shared/contracts/tasks.ts`), at most one of a key. Delivery is at least once: a lease
 * that is neither extended nor acknowledged lapses, and the task is received again. Submitters take turns, however
 * many tasks each has.
 */
export interface TaskQueue {
  /**
   * Queues a task; answers with its lane, which is its own for a task that is there already, or null when one of its
   * key waits or is held and nothing had to be done.
   */
  enqueue(task: Task, options?: EnqueueOptions): Promise<Lane | null>;
  receive(options: ReceiveOptions): Promise<Lease | null>;
  /** The worker's heartbeat. False when the lease is no longer its own; it must then stop. */
  extend(lease: Lease): Promise<boolean>;
  /** Whether somebody else's task of the fast lane waits for this one, of the same lane, to end. */
  isWaitedFor(lease: Lease): Promise<boolean>;
  /** Removes the task, unless another worker has taken it over. */
  acknowledge(lease: Lease): Promise<void>;
  /** Gives the task back, unless another worker has taken it over. */
  release(lease: Lease, options: ReleaseOptions): Promise<void>;
}

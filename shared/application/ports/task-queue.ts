/** Where a task waits: for a function that begins within seconds, or for a large worker (architecture 3.3). */
export const lanes = ['fast', 'heavy'] as const;
export type Lane = (typeof lanes)[number];

/** A claim on one task, held by one worker until it lapses. */
export interface Lease {
  readonly jobId: number;
  /** 1 for the first time a worker received it. */
  readonly attempt: number;
  /** Tells this claim from an earlier or later one. */
  readonly token: string;
}

export interface ReceiveOptions {
  readonly worker: string;
  /** How long to wait for a task before answering null. */
  readonly waitMs: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
  /** Takes tasks of this lane only; a queue that is given others anyway may ignore it. @default all that the process takes */
  readonly lane?: Lane | undefined;
}

export interface ReleaseOptions {
  readonly delaySeconds: number;
  /** False when the worker did nothing wrong. */
  readonly countAttempt: boolean;
  /** Where the task goes on. @default where it was */
  readonly lane?: Lane;
}

/**
 * Analyses waiting for a worker, at most one entry a job. Delivery is at least once: a lease that is
 * neither extended nor acknowledged lapses, and the task is received again. Submitters take turns, however
 * many tasks each has.
 */
export interface TaskQueue {
  /**
   * Queues the job's analysis; answers with the lane, which is its own for a task that is there already,
   * or null when that waits or is held and nothing had to be done.
   * @param submitter - who takes turns with others; at most 16 characters. @default all who are not told apart
   */
  enqueue(jobId: number, lane: Lane, submitter?: string): Promise<Lane | null>;
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

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
}

/**
 * Analyses waiting for a worker, at most one entry a job. Delivery is at least once: a lease that is
 * neither extended nor acknowledged lapses, and the task is received again.
 */
export interface TaskQueue {
  /** Queues the job's analysis unless it is queued already. */
  enqueue(jobId: number): Promise<void>;
  receive(options: ReceiveOptions): Promise<Lease | null>;
  /** The worker's heartbeat. False when the lease is no longer its own; it must then stop. */
  extend(lease: Lease): Promise<boolean>;
  /** Removes the task, unless another worker has taken it over. */
  acknowledge(lease: Lease): Promise<void>;
  /** Gives the task back; `countAttempt: false` when the worker did nothing wrong. */
  release(lease: Lease, options: { delaySeconds: number; countAttempt: boolean }): Promise<void>;
}

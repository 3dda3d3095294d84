import type { JobErrorCode } from '@svc/domain';
import type { Lane } from './task-queue.ts';

/** What is known of queued and running tasks: the sweep's, the dispatcher's and the cancelling user's side of the queue. */
export interface TaskLedger {
  /** The job's entry; `held` while a worker's lease is alive; null when it is not queued. */
  state(jobId: number): Promise<{ attempts: number; held: boolean } | null>;
  /** Ends the leases of workers of this machine whose process is gone: for the start of one that is alone there. */
  dropLeases(): Promise<void>;
  /** Removes a job's entry, whoever holds it. */
  remove(jobId: number): Promise<void>;
  /** Removes it, too, and leaves word of the job and the reason where operators look for what was given up. */
  bury(jobId: number, reason: JobErrorCode): Promise<void>;
  /** Tasks of a lane that wait or are worked on, about; of all where there are no lanes. */
  depth(lane: Lane): Promise<number>;
}

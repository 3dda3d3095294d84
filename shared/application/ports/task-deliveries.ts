import type { Lease } from './task-queue.ts';

/** A message of the fast lane that something else has received for us, as AWS Lambda does. */
export interface Delivery {
  readonly body: string;
  /** How the queue knows this delivery of the message. */
  readonly receipt: string;
  /** Who takes turns with others, if the message says so. */
  readonly submitter?: string | undefined;
}

/** Tasks that come by themselves, where nobody calls `receive`. */
export interface TaskDeliveries {
  /**
   * Takes the task that a message names. `held` while another worker has it: the message must stay, and
   * comes again when that lease would lapse. `gone` when there is nothing to do and the message may go.
   * Throws for a message that names no job.
   */
  accept(delivery: Delivery, worker: string): Promise<Lease | 'held' | 'gone'>;
}

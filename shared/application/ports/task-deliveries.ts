import type { Task } from '@svc/contracts/tasks.ts';
import type { Lane, Lease } from './task-queue.ts';

/** A message that something else has received for us, as AWS Lambda does. */
export interface Delivery {
  /** Of whose queue. */
  readonly lane: Lane;
  readonly body: string;
  /** How the queue knows this delivery of the message. */
  readonly receipt: string;
  /** Who takes turns with others, if the message says so. */
  readonly submitter?: string | undefined;
}

/** Tasks that come by themselves, where nobody calls `receive`. */
export interface TaskDeliveries {
  /**
   * Takes the task that a message names. `held` while another worker has it, or until its time has come: the message
   * must stay, and comes again when that lease would lapse. `gone` when there is nothing to do and the message may go.
   * Throws for a message that names no task.
   */
  accept(delivery: Delivery, worker: string): Promise<Lease | 'held' | 'gone'>;
  /** Takes a task that nobody has queued; null when one of its key is in flight. */
  begin(task: Task, worker: string): Promise<Lease | null>;
}

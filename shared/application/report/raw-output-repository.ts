import type { NewRawOutput } from './result-repository.ts';

/** What an engine put out for a task, kept as an object until its time is over. */
export interface RawOutput extends NewRawOutput {
  readonly id: number;
  readonly taskId: number;
  readonly engine: string;
  /** Place of the task in its workflow, from 0. */
  readonly position: number;
  readonly createdAt: Date;
}

export interface RawOutputRepository {
  /** In the order of the tasks. */
  ofJob(jobId: number): Promise<readonly RawOutput[]>;
  /** Adds one to a task that has ended; false when the task is gone. */
  add(taskId: number, output: NewRawOutput, at: Date): Promise<boolean>;
  /** Removes the oldest of those that are older than this; the keys of their objects, which nothing refers to then. */
  removeBefore(before: Date, limit: number): Promise<readonly string[]>;
}

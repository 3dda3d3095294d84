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
  /**
   * Drops the oldest of those that are older than this, in one transaction; the keys of their objects, which are
   * noted as dropped.
   */
  dropBefore(before: Date, limit: number, at: Date): Promise<readonly string[]>;
}

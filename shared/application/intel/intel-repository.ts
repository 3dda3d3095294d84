import type { EntityType } from '@svc/domain';
import type { FoundThreat, NamedByThreat } from './named-by-threats.ts';
import type { TaskIntel } from './task-intel.ts';

/** What the log of a job names, once each (`uniteIntel`), and how that is related; of several tasks, of all of them. */
export interface UnitedIntel extends Omit<TaskIntel, 'findings' | 'isTruncated'> {
  readonly findings: NonNullable<TaskIntel['findings']>;
}

/** The same with the threats that name it, if any does. */
export interface JobIntel extends UnitedIntel {
  readonly threats?: readonly NamedByThreat[];
}

/** Says what the values of entities say (resolved-intel 2), and the keys by which searches ask for it. */
export interface Describe {
  /** Of the code that says it. */
  readonly version: number;
  describe(entity: { readonly type: EntityType; readonly value: string }): {
    readonly attributes: Readonly<Record<string, string | number | boolean>> | null;
    readonly keys: readonly string[];
  };
}

/** A job that is to be stored. */
export interface StoringJob {
  readonly jobId: number;
  readonly intel: JobIntel;
  /** When it was analysed. */
  readonly at: Date;
  /** Makes and counts nothing, and shows no relationship: the job is linked to what others name. */
  readonly isLocal: boolean;
}

/** A job that has ended. */
export interface EndedJob {
  readonly id: number;
  readonly isPrivate: boolean;
  readonly at: Date;
}

/** How many a job names. */
export interface StoredIntel {
  readonly entities: number;
  readonly relationships: number;
}

/**
 * Entities, their links to jobs and findings, and how they are related (resolved-intel 1.3 to 1.5, 6.2). All counts are
 * right whatever else is written at the same time.
 */
export interface IntelRepository {
  /** Those of the jobs that have ended, which the transaction holds from here on. */
  holdEnded(jobIds: readonly number[]): Promise<readonly EndedJob[]>;
  /** What the tasks of jobs found, by task; of those of earlier versions, what their analytics tell. */
  derivedOf(jobIds: readonly number[]): Promise<ReadonlyMap<number, readonly TaskIntel[]>>;
  /** What the heuristics found in jobs. */
  threatsOf(jobIds: readonly number[]): Promise<ReadonlyMap<number, readonly FoundThreat[]>>;
  /** Those of the jobs whose log was never read for all that is kept of it by now. */
  unread(jobIds: readonly number[]): Promise<readonly number[]>;
  /** Keeps what a task found that kept none of it; its job waits to be stored then. */
  keepDerived(taskId: number, intel: TaskIntel): Promise<void>;
  /**
   * Puts this in the place of all that was stored of the jobs, which the transaction holds. What no job names any more
   * goes, with what hangs on it. Of each job what was stored, in their order.
   */
  replace(jobs: readonly StoringJob[], describe: Describe): Promise<readonly StoredIntel[]>;
  /** Takes a job, which the transaction holds and is about to remove, out of everything. */
  remove(jobId: number): Promise<void>;
  /** Jobs that have ended and whose intel is not stored yet, the newest first, as many as are stored at once. */
  waiting(which: { readonly under: number | null; readonly limit: number }): Promise<readonly number[]>;
  /** Jobs that have ended and of which something was derived, in the order of their ids, as many as are stored at once. */
  jobsAfter(id: number, limit: number): Promise<readonly number[]>;
  /** Describes entities anew; the last of them, null where there are no more. */
  describeAfter(id: number, limit: number, describe: Describe): Promise<number | null>;
}

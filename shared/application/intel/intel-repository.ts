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
  /** What the tasks of a job found, by task; of those of earlier versions, what their analytics tell. */
  derivedOf(jobId: number): Promise<readonly TaskIntel[]>;
  /** What the heuristics found in a job. */
  threatsOf(jobId: number): Promise<readonly FoundThreat[]>;
  /** Keeps what a task found that kept none of it; its job waits to be stored then. */
  keepDerived(taskId: number, intel: TaskIntel): Promise<void>;
  /**
   * Puts this in the place of all that was stored of the job, which the transaction holds. What no job names any more
   * goes, with what hangs on it.
   * @param at - when the job was analysed
   * @param isLocal - makes and counts nothing, and shows no relationship: the job is linked to what others name
   */
  replace(
    jobId: number,
    intel: JobIntel,
    how: { readonly at: Date; readonly describe: Describe; readonly isLocal: boolean },
  ): Promise<StoredIntel>;
  /** Takes a job, which the transaction holds and is about to remove, out of everything. */
  remove(jobId: number): Promise<void>;
  /** Jobs that have ended and whose intel is not stored yet, the newest first. */
  waiting(which: { readonly under: number | null; readonly limit: number }): Promise<readonly number[]>;
  /** Jobs that have ended and of which something was derived, in the order of their ids. */
  jobsAfter(id: number, limit: number): Promise<readonly number[]>;
  /** Describes entities anew; the last of them, null where there are no more. */
  describeAfter(id: number, limit: number, describe: Describe): Promise<number | null>;
}

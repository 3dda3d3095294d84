import type { Finding, JobTotals, RuleSet, TaskStatus } from '@svc/domain';
import type { DerivedOutput } from '../ports/detection-engine.ts';
import type { NewFinding, StoredEvent } from './new-finding.ts';
import type { RuleCosts } from './rule-costs.ts';

export interface NewTask {
  readonly engine: string;
  readonly status: Extract<TaskStatus, 'pending' | 'running' | 'skipped'>;
  readonly errorMessage: string | null;
  readonly bytesTotal: number;
}

/** A file of what an engine put out, as an object. */
export interface NewRawOutput {
  readonly name: string;
  readonly storageKey: string;
  readonly sizeBytes: number;
  /** False when there was more than is kept. */
  readonly isComplete: boolean;
}

/** The object that holds the sample events of a task's findings. */
export interface EventPack {
  readonly storageKey: string;
  readonly sizeBytes: number;
  /** Of each finding; null for one without events. */
  readonly places: readonly (EventPlace | null)[];
}

/** Where the events of a finding are in a pack. */
export interface EventPlace {
  readonly at: number;
  readonly bytes: number;
}

export interface TaskOutcome {
  /** The engine whose results these are, where it is not the one that the task names. */
  readonly engine?: string;
  readonly status: Extract<TaskStatus, 'completed' | 'failed' | 'skipped' | 'cancelled'>;
  readonly durationMs: number;
  readonly errorMessage: string | null;
  readonly logOutput: string;
  readonly findings: readonly NewFinding[];
  readonly derived: DerivedOutput | null;
  readonly rawOutputs: readonly NewRawOutput[];
  /** Null where the store could not take one: the database keeps the events until they are moved. */
  readonly eventPack: EventPack | null;
  readonly events: number | null;
  readonly warnings: readonly string[];
  readonly ruleSet: RuleSet | null;
  readonly ruleCosts?: RuleCosts | undefined;
}

/** What one finding is to say, which then stands for those of other engines, too. */
export interface MergedFinding extends Pick<Finding, 'id' | 'count' | 'tags' | 'firstSeen' | 'lastSeen' | 'hosts'> {
  /** Its own first. */
  readonly parts: NonNullable<Finding['parts']>;
}

/** How tasks end whose job ends before them. */
export interface TaskClosing {
  readonly status: Extract<TaskStatus, 'failed' | 'cancelled'>;
  readonly errorMessage: string | null;
  readonly at: Date;
}

export interface ResultTotals extends JobTotals {
  /** RFC 3339 in UTC; null when no finding has a time. */
  readonly firstEventAt: string | null;
  readonly lastEventAt: string | null;
}

/** What workers write. A worker whose job was taken over finds its tasks gone, and writes nothing. */
export interface ResultRepository {
  /** Adds the tasks of a job; their ids in order. */
  addTasks(jobId: number, tasks: readonly NewTask[], at: Date): Promise<readonly number[]>;
  /** Ends those that are still open. */
  closeTasks(jobId: number, closing: TaskClosing): Promise<void>;
  /** Has findings of a job stand for those of other engines, which count nowhere then. */
  keepMerged(jobId: number, merged: readonly MergedFinding[]): Promise<void>;
  /** Figures over a job's findings and tasks (resolved-platform 3.1). */
  totals(jobId: number): Promise<ResultTotals>;
  /**
   * Removes the tasks of a job with all their results, which waits for a worker that just ends one; the keys of their
   * objects, which nothing refers to then.
   */
  remove(jobId: number): Promise<readonly string[]>;
  startTask(taskId: number, at: Date): Promise<void>;
  saveProgress(taskId: number, bytesDone: number): Promise<void>;
  /**
   * Outcome, findings and what was derived in one transaction; false when the task is not running any more. The pack's
   * key is no dropped one from then on; rejects when it is none any more.
   */
  finishTask(taskId: number, outcome: TaskOutcome, at: Date): Promise<boolean>;
  /** Some of the tasks whose sample events the database keeps, the newest first. */
  withEventsInRows(most: number): Promise<readonly number[]>;
  /** The events that it keeps of a task, of the first findings after this one, in the order of their ids. */
  eventsInRows(
    taskId: number,
    page: { readonly after: number; readonly most: number },
  ): Promise<readonly { readonly findingId: number; readonly events: readonly StoredEvent[] }[]>;
  /**
   * Names the pack of all events that {@link eventsInRows} gives of a task, which are not in the database any more; false when
   * another has done that, or the task is gone. Of its key the same holds as in {@link finishTask}.
   */
  moveEvents(taskId: number, pack: EventPack): Promise<boolean>;
  /** Stores the rules of some findings of before apart; of how many. */
  moveRuleSources(most: number): Promise<number>;
  /** Findings whose events or rules are still to be moved. */
  leftToMove(): Promise<number>;
}

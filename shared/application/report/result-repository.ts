import type { JobTotals, RuleSet, TaskStatus } from '@svc/domain';
import type { DerivedOutput } from '../ports/detection-engine.ts';
import type { NewFinding } from './new-finding.ts';

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

export interface TaskOutcome {
  readonly status: Extract<TaskStatus, 'completed' | 'failed' | 'skipped' | 'cancelled'>;
  readonly durationMs: number;
  readonly errorMessage: string | null;
  readonly logOutput: string;
  readonly findings: readonly NewFinding[];
  readonly derived: DerivedOutput | null;
  readonly rawOutputs: readonly NewRawOutput[];
  readonly events: number | null;
  readonly warnings: readonly string[];
  readonly ruleSet: RuleSet | null;
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
  /** Figures over a job's findings and tasks (resolved-platform 3.1). */
  totals(jobId: number): Promise<ResultTotals>;
  /** Removes the tasks of a job with all their results. */
  remove(jobId: number): Promise<void>;
  startTask(taskId: number, at: Date): Promise<void>;
  saveProgress(taskId: number, bytesDone: number): Promise<void>;
  /** Outcome, findings and what was derived in one transaction; false when the task is not running any more. */
  finishTask(taskId: number, outcome: TaskOutcome, at: Date): Promise<boolean>;
}

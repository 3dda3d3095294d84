import type { RuleSet, TaskStatus } from '@svc/domain';
import type { DerivedOutput } from './detection-engine.ts';
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

/** What workers write. A worker whose job was taken over finds its tasks gone, and writes nothing. */
export interface ResultRepository {
  /**
   * Clears what an earlier attempt left and adds the tasks, in one transaction; their ids in order,
   * null when the job is not running under this claim any more.
   */
  beginTasks(
    job: { id: number; claim: string },
    tasks: readonly NewTask[],
    at: Date,
  ): Promise<readonly number[] | null>;
  startTask(taskId: number, at: Date): Promise<void>;
  saveProgress(taskId: number, bytesDone: number): Promise<void>;
  /** Outcome, findings and what was derived in one transaction; false when the task is not running any more. */
  finishTask(taskId: number, outcome: TaskOutcome, at: Date): Promise<boolean>;
}

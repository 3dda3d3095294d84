import type { PeriodicKind } from '@svc/contracts/tasks.ts';

/** How a periodic task went. */
export interface PeriodicRun {
  readonly kind: PeriodicKind;
  /** When it began. */
  readonly at: Date;
  readonly durationMs: number;
  readonly outcome: 'completed' | 'failed';
  /** What it did, or why it failed. */
  readonly detail: string;
}

/** The last run of each periodic task, whichever process had it. */
export interface PeriodicRuns {
  note(run: PeriodicRun): Promise<void>;
  /** Of those that have run, in no order. */
  latest(): Promise<readonly PeriodicRun[]>;
}

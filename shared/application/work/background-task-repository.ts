import { backfillKinds, storageKinds } from '@svc/contracts/tasks.ts';

/** What is done aside from the requests that ask for it (resolved-platform 16.2). */
export const backgroundKinds = [
  'recalculate_single_analytics',
  'gather_finding_matches',
  'apply_suppression',
  'backtest_alert_rule',
  'bulk_enrich',
  'test_engine',
  'prepare_engine_image',
  ...backfillKinds,
  ...storageKinds,
] as const;
export type BackgroundKind = (typeof backgroundKinds)[number];

export const backgroundStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type BackgroundStatus = (typeof backgroundStatuses)[number];

export interface BackgroundTask {
  readonly id: number;
  readonly kind: BackgroundKind;
  /** What it is about, as a job or a finding; null for all that there is. */
  readonly targetId: number | null;
  readonly status: BackgroundStatus;
  /** How often it was begun since it last got any further. */
  readonly attempts: number;
  readonly requestedBy: string;
  /** How far it is, and in the end what came of it, in a sentence. */
  readonly detail: string | null;
  /** The last thing that is done, from which it goes on. */
  readonly cursor: number | null;
  readonly errorMessage: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly heartbeatAt: Date | null;
  readonly finishedAt: Date | null;
}

export interface NewBackgroundTask {
  readonly kind: BackgroundKind;
  readonly targetId: number | null;
  /** Who asked, as others are told. */
  readonly requestedBy: string;
}

/** How a task ended. */
export type BackgroundEnd = { readonly detail: string } | { readonly error: string };

/** The record of such tasks, for those who asked; the queue has them done. Of one kind and target at most one is in flight. */
export interface BackgroundTaskRepository {
  /** Notes that it is wanted, unless the same is in flight. */
  request(task: NewBackgroundTask, at: Date): Promise<{ readonly id: number; readonly already: boolean }>;
  /** Notes that it was begun, again or for the first time; null when it has ended. */
  begin(id: number, at: Date): Promise<BackgroundTask | null>;
  /** Notes how far one is, from where it goes on after a process that ended; false when it was ended meanwhile. */
  progress(id: number, done: { readonly cursor: number; readonly detail: string }, at: Date): Promise<boolean>;
  /** Notes that somebody works on it. */
  beat(id: number, at: Date): Promise<void>;
  /** Has one that has not ended do no more; null when it has. */
  cancel(id: number, at: Date): Promise<BackgroundTask | null>;
  /** False when it was ended meanwhile. */
  finish(id: number, end: BackgroundEnd, at: Date): Promise<boolean>;
  get(id: number): Promise<BackgroundTask | null>;
  /** The last that have ended, the newest first. */
  ended(most: number): Promise<readonly BackgroundTask[]>;
  /** Those that have not ended, the oldest first. */
  inFlight(): Promise<readonly BackgroundTask[]>;
  /** The last that was asked for. */
  latest(kind: BackgroundKind, targetId: number): Promise<BackgroundTask | null>;
  /** Forgets those that ended before this; how many. */
  removeEnded(before: Date): Promise<number>;
}

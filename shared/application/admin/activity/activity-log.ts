import type { Activity, ActivityCategory, ActivityOutcome, NewActivity } from '@svc/domain';

/** What rows are asked for; what is absent narrows nothing. */
export interface ActivityFilter {
  readonly category?: ActivityCategory;
  readonly action?: string;
  /** Part of the label of who did it. */
  readonly actor?: string;
  /** Whole id of what it was done to. */
  readonly target?: string;
  readonly outcome?: ActivityOutcome;
  /** Part of the summary, the address, or the id of the request. */
  readonly q?: string;
  readonly since?: Date;
}

/** The rows of a day in UTC, in the order in which they were written, each with the hash of itself and those before. */
export interface ActivityDay {
  /** `2026-11-26` */
  readonly day: string;
  readonly rows: number;
  /** Hash of the last row of the day before; empty for the first day. */
  readonly previous: string;
  /** Hash of the last row. */
  readonly head: string;
  /** Whether its rows were removed because their time was over. */
  readonly isPruned: boolean;
}

export interface ActivityLog {
  /** Appends rows, each with its hash, in a transaction of its own. */
  write(rows: readonly NewActivity[]): Promise<void>;
  /** Newest first, and how many there are. */
  list(
    filter: ActivityFilter,
    place: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly rows: readonly Activity[]; readonly total: number }>;
  /** Rows written since then. */
  count(since: Date): Promise<number>;
  /** Removes the rows of days before this one (`2026-11-26`); resolves to how many. */
  prune(before: string): Promise<number>;
  /** Oldest first. */
  days(): Promise<readonly ActivityDay[]>;
  /** The rows of a day from a place on in the order in which they were written, with their hashes. */
  ofDay(
    day: string,
    part: { readonly from: number; readonly most: number },
  ): Promise<readonly (NewActivity & { readonly place: number; readonly hash: string })[]>;
}

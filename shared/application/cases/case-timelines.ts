import type { Actor, JobClock, JobStatus } from '@svc/domain';
import type { AlertColumns, JobAnalytics } from '../report/derivation-repository.ts';

/** A job that is in a case. */
export interface MemberJob extends JobClock {
  readonly jobId: number;
  readonly fileName: string;
  readonly status: JobStatus;
}

/** What the jobs of a case have stored of when things were, for many jobs at once. */
export interface CaseTimelines {
  /** Those of its jobs that the viewer sees, by their number. */
  members(viewer: Actor, caseId: number): Promise<readonly MemberJob[]>;
  /** The indexes of alerts of some jobs; without those that have none that can be read. */
  alerts(jobIds: readonly number[]): Promise<ReadonlyMap<number, AlertColumns>>;
  /** Their matches by hour; without jobs of which nothing was derived. */
  hours(jobIds: readonly number[]): Promise<ReadonlyMap<number, JobAnalytics['hours']>>;
}

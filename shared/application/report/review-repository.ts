import type { FindingReview, ReviewState } from '@svc/domain';

/** What is decided; what is not given stays as it is. */
export interface ReviewChange {
  readonly jobId: number;
  /** Those that are not of the job are skipped. */
  readonly findingIds: readonly number[];
  readonly state?: ReviewState | undefined;
  readonly note?: string | undefined;
  /** Null for nobody. */
  readonly assigneeId?: string | null | undefined;
  /** With a state: whether it is to hold for later jobs of who decides; otherwise what was remembered is forgotten. */
  readonly remember: boolean;
  readonly by: string;
  readonly at: Date;
}

/** Decisions about findings. Findings of one rule in a job, by whichever engine, are decided about together. */
export interface ReviewRepository {
  /** All of a job, or those about some findings; findings that nothing was said of have none. */
  ofJob(jobId: number, findingIds?: readonly number[]): Promise<readonly FindingReview[]>;
  /** Writes a decision about findings of a job, which is held, and counts what is decided in it. */
  set(change: ReviewChange): Promise<void>;
  /**
   * Applies to a job, which is held, what its submitter has remembered: where all hosts of a rule's findings have the
   * same decision and nothing was decided in the job. Decisions made in private jobs apply to private ones.
   */
  applyRemembered(jobId: number, at: Date): Promise<void>;
  /** Counts anew what is decided in a job. */
  recount(jobId: number): Promise<void>;
}

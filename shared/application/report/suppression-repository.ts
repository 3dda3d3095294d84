import type { Actor, Finding, Suppression } from '@svc/domain';

export type NewSuppression = Omit<Suppression, 'id' | 'author' | 'removedAt' | 'appliedAt'> & {
  /** Account id. */
  readonly authorId: string | null;
};

/** What is said to be ordinary here. */
export interface SuppressionRepository {
  /** Of the instance, or of a case; the newest first. */
  list(caseId: number | null): Promise<readonly Suppression[]>;
  get(id: number): Promise<Suppression | null>;
  /** Adds one, by which findings are still to be marked. */
  add(suppression: NewSuppression): Promise<number>;
  /** Takes one back; it goes when its marks are gone. False where it was, or there is none. */
  remove(id: number, at: Date): Promise<boolean>;
  /**
   * Notes that findings are marked as one says at this time, unless it was taken back since; one that had been is gone
   * then, once nothing is marked by it.
   */
  settle(suppression: Pick<Suppression, 'id' | 'removedAt'>, at: Date): Promise<void>;
  /** Those that findings are to be marked by, or not any more. */
  due(at: Date): Promise<readonly number[]>;
}

/** What says which matches of its rule are suppressed. */
export type AskedSuppression = Pick<Suppression, 'id' | 'caseId' | 'conditions'>;

/** How many matches of a finding one suppresses. */
export interface SuppressedMatches {
  readonly suppression: Pick<Suppression, 'id' | 'caseId'>;
  readonly events: number;
}

/** How often one has hit, in jobs that the viewer may see. */
export interface SuppressionHits {
  readonly findings: number;
  readonly events: number;
  readonly jobs: number;
  /** When the newest of these jobs was submitted. */
  readonly lastAt: Date;
}

/** Findings that are marked by suppressions. */
export interface SuppressedFindings {
  /** Those in force that ask for the findings of a job: of the instance first, then of its cases, in the order of their ids. */
  inForce(jobId: number, at: Date): Promise<readonly Suppression[]>;
  /** The findings of a job by some rules. */
  ofRules(jobId: number, ruleIds: readonly string[]): Promise<readonly Finding[]>;
  /** Jobs, in their order, with findings that one asks for; of one that has ended, some of those that it still marks. */
  jobsAfter(suppression: Suppression, after: number, most: number, at: Date): Promise<readonly number[]>;
  /** Marks a finding anew, by these alone, of which some may be gone by now. */
  mark(findingId: number, by: readonly SuppressedMatches[]): Promise<void>;
  /** Leaves of its marks those by these suppressions. */
  keep(findingId: number, suppressionIds: readonly number[]): Promise<void>;
  /** Has searches find the entities that these findings name by whether they count now: after all marks of a transaction. */
  noteEntities(findingIds: readonly number[]): Promise<void>;
  /** Has those of a case applied again, to jobs that have come into it. */
  reopen(caseId: number): Promise<void>;
  hits(viewer: Actor, ids: readonly number[]): Promise<ReadonlyMap<number, SuppressionHits>>;
}

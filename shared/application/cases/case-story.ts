import type { Actor, EntityType, Finding } from '@svc/domain';

/** A job of a case. */
export interface CaseJob {
  readonly id: number;
  readonly fileName: string;
  /** Seconds that the clock of its host was ahead. */
  readonly clockOffset: number;
}

/** What a case is told from: of its jobs those that the viewer sees. */
export interface CaseStory {
  /** By id. */
  jobs(viewer: Actor, caseId: number): Promise<readonly CaseJob[]>;
  /**
   * Its entities, those of the lowest ids, the ones that most jobs name first, and how many there are in all.
   * @param how.job - one that the viewer sees: only what it names
   */
  members(
    caseId: number,
    how: { readonly job: number | null; readonly hidesAllowlisted: boolean; readonly most: number },
  ): Promise<{
    readonly members: readonly { readonly id: number; readonly type: EntityType }[];
    readonly total: number;
  }>;
  /** One of its entities; null for others. */
  member(caseId: number, entityId: number): Promise<{ readonly type: EntityType; readonly value: string } | null>;
  /** What some findings are, whose jobs the viewer sees; by id. */
  findings(ids: readonly number[]): Promise<readonly Pick<Finding, 'id' | 'jobId' | 'ruleName' | 'severity'>[]>;
  /** Of its entities those that some findings name, by id. */
  membersNamedBy(caseId: number, findingIds: readonly number[]): Promise<readonly number[]>;
}

import type { Actor, Case, CaseStatus } from '@svc/domain';

export interface NewCase {
  readonly name: string;
  readonly ownerId: string;
  readonly isShared: boolean;
  readonly at: Date;
}

export interface CaseRepository {
  create(wanted: NewCase): Promise<Case>;
  /** Keeps others from changing or removing it until the transaction ends; false when it is gone. */
  hold(id: number): Promise<boolean>;
  /** Puts a job in a case, which counts as a change of the case; one that is in it already stays as it is. */
  link(caseId: number, link: { readonly jobId: number; readonly by: string | null; readonly at: Date }): Promise<void>;
  /**
   * Puts entities in a case, which counts as a change of the case; those that are in it stay as they are.
   * Answers with how many are new.
   */
  linkEntities(
    caseId: number,
    ids: readonly number[],
    link: { readonly by: string | null; readonly at: Date },
  ): Promise<number>;
  /** Those that the job is in. */
  ofJob(jobId: number): Promise<readonly number[]>;
  /** Notes that they have changed. */
  touch(ids: readonly number[], at: Date): Promise<void>;
  get(id: number): Promise<Case | null>;
  /** How much is in it: of its jobs those that the viewer sees. */
  count(viewer: Actor, id: number): Promise<{ readonly entities: number; readonly jobs: number }>;
  /** Those that the viewer may see (`canViewCase`) in one of these states, newest updated first. */
  list(viewer: Actor, wanted: { readonly statuses: readonly CaseStatus[]; readonly limit: number }): Promise<Case[]>;
}

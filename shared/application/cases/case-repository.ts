import type { Actor, Case, CaseStatus } from '@svc/domain';
import type { Change } from '../intel/entity-repository.ts';

export interface NewCase {
  readonly name: string;
  readonly summary?: string | null;
  readonly severity?: Case['severity'];
  readonly ownerId: string;
  readonly isShared: boolean;
  readonly at: Date;
}

/** What of a case can be changed; what is left out stays. */
export type CaseChanges = Partial<Pick<Case, 'name' | 'summary' | 'severity' | 'status' | 'isShared' | 'closedAt'>>;

/** A narrative as it was saved. */
export interface CaseNarrative {
  readonly version: number;
  readonly body: string;
  readonly savedBy: string | null;
  readonly savedAt: Date;
}

/** What is said of cases, and to whom they belong. */
export interface CaseRepository {
  create(wanted: NewCase): Promise<Case>;
  /** Keeps others from changing or removing it until the transaction ends; false when it is gone. */
  hold(id: number): Promise<boolean>;
  /** Puts a job in a case, which counts as a change of the case; one that is in it already stays as it is. */
  link(caseId: number, link: { readonly jobId: number; readonly by: string | null; readonly at: Date }): Promise<void>;
  /** Says how many seconds the clock of a job in a case was ahead; false where it is not in it. */
  setClock(caseId: number, jobId: number, seconds: number): Promise<boolean>;
  /** Those that the job is in. */
  ofJob(jobId: number): Promise<readonly number[]>;
  /** Counts again what their jobs have found, by which lists sort; holds them. */
  recount(ids: readonly number[]): Promise<void>;
  /** Part of a transaction that holds it, as all that follows. */
  change(id: number, changes: CaseChanges, at: Date): Promise<void>;
  /** The next version of its narrative; of those before, the newest are kept. */
  writeNarrative(id: number, narrative: string | null, change: Change): Promise<number>;
  remove(id: number): Promise<void>;
  addCollaborator(id: number, accountId: string, change: Change): Promise<void>;
  removeCollaborator(id: number, accountId: string, at: Date): Promise<void>;
  /** The one that is there and those before it that are kept, the newest first. */
  narratives(id: number): Promise<readonly CaseNarrative[]>;
  /** Notes that they have changed, or that their jobs have gone. */
  touch(ids: readonly number[], at: Date): Promise<void>;
  get(id: number): Promise<Case | null>;
  /** How much is in it: of its jobs those that the viewer sees. */
  count(viewer: Actor, id: number): Promise<{ readonly entities: number; readonly jobs: number }>;
  /** Those that the viewer may see (`canViewCase`) in one of these states, newest updated first. */
  list(viewer: Actor, wanted: { readonly statuses: readonly CaseStatus[]; readonly limit: number }): Promise<Case[]>;
}

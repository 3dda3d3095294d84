import type { Actor, EntityType, Tag } from '@svc/domain';
import type { EntityPart } from '../intel/entity-links.ts';
import type { JobView } from '../jobs/job-views.ts';

/** That something is in a case. */
export interface CaseLink {
  readonly note: string | null;
  readonly addedAt: Date;
  /** Account id and name of who did it. */
  readonly addedBy: string | null;
  readonly adder: string | null;
}

export interface LinkedEntity extends CaseLink {
  readonly id: number;
  readonly value: string;
  readonly type: EntityType;
  readonly jobCount: number;
  readonly isAllowlisted: boolean;
  readonly tags: readonly Tag[];
  /** Visible jobs of the case that name it. */
  readonly caseJobs: number;
}

export interface LinkedJob extends CaseLink {
  readonly view: JobView;
  /** Entities of the case that it names. */
  readonly caseEntities: number;
}

export type CaseEntityOrder = 'added' | 'jobs' | 'everywhere';

export interface FoundEntity {
  readonly id: number;
  readonly value: string;
  readonly type: EntityType;
  readonly jobCount: number;
}

/** What is in a case, and what may come into one; of jobs, those that the viewer sees. */
export interface CaseContents {
  /** Its entities: the newest first, those of the most of its jobs, or of the most jobs on the whole. */
  entities(
    viewer: Actor,
    caseId: number,
    part: EntityPart & { readonly text: string; readonly type: EntityType | null; readonly by: CaseEntityOrder },
  ): Promise<{
    readonly page: number;
    readonly total: number;
    readonly all: number;
    readonly entities: readonly LinkedEntity[];
  }>;
  /** Its visible jobs, the last added first, or the newest. */
  jobs(
    viewer: Actor,
    caseId: number,
    part: EntityPart & { readonly by: 'added' | 'created' },
  ): Promise<{ readonly page: number; readonly total: number; readonly jobs: readonly LinkedJob[] }>;
  /** Entities of a case by value, after a given one; with a job, those that it names. */
  find(
    caseId: number,
    wanted: {
      readonly text: string;
      readonly types: readonly EntityType[];
      readonly job: number | null;
      readonly after: number | null;
      readonly limit: number;
    },
  ): Promise<readonly FoundEntity[]>;
  /** Entities that are not allowlisted, by a part of the value; those of the most jobs first. */
  pickEntities(text: string, limit: number): Promise<readonly FoundEntity[]>;
  /** Visible jobs by a part of the name, or by number; newest first. */
  pickJobs(viewer: Actor, text: string, limit: number): Promise<readonly number[]>;
  /** Whether the job is in the case, as the viewer sees it. */
  hasJob(viewer: Actor, caseId: number, jobId: number): Promise<boolean>;
}

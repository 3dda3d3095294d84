import type { Actor, EntityType, Job } from '@svc/domain';
import type { EntityPart } from './entity-links.ts';
import type { ListedEntity } from './entity-lists.ts';

/** A job that is asked about. Jobs of the same file name the same: they say nothing of what was seen elsewhere. */
export type AskedJob = Pick<Job, 'id' | 'fileId'>;

export interface SeenEntity {
  readonly entity: ListedEntity;
  /** Jobs of other files that the viewer sees, and those of them that came before. */
  readonly jobs: number;
  readonly before: number;
}

/** Where else things are seen that a job names: in jobs that the viewer sees, and in no others (resolved-intel 22). */
export interface SeenBefore {
  /** How many the job names of each type, and how many of these were seen before. */
  counts(
    viewer: Actor,
    job: AskedJob,
  ): Promise<readonly { readonly type: EntityType; readonly total: number; readonly seen: number }[]>;
  /** Those that a finding of the job names first, then what the fewest jobs name. */
  list(viewer: Actor, job: AskedJob, which: { readonly isSeen: boolean } & EntityPart): Promise<readonly SeenEntity[]>;
  /** Values in whatever spelling; null for those that are not known, in the order asked for. */
  known(
    viewer: Actor,
    job: AskedJob,
    values: readonly { readonly type: EntityType; readonly value: string }[],
  ): Promise<readonly (SeenEntity | null)[]>;
}

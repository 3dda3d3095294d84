import type { Actor } from '@svc/domain';
import type { JobView } from './job-views.ts';

export interface Batch {
  readonly id: number;
  /** Account id; null for visitors, and when the account is gone. */
  readonly submittedBy: string | null;
  readonly createdAt: Date;
}

/** Jobs that were submitted together; a job that is deleted leaves. */
export interface BatchRepository {
  /** Makes one of these jobs, or finds the one that the same account made of the same jobs before; its id. */
  create(batch: { readonly jobIds: readonly number[]; readonly by: string | null; readonly at: Date }): Promise<number>;
  /** A batch with the jobs of it that the viewer may see, by id; null when there are none. */
  get(viewer: Actor, id: number): Promise<{ readonly batch: Batch; readonly jobs: readonly JobView[] } | null>;
}

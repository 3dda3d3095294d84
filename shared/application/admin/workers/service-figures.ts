import type { JobStatus } from '@svc/domain';

/** What is stored, by what it is. */
export const stores = ['database', 'uploads', 'outputs', 'events'] as const;
export type Store = (typeof stores)[number];

/** The service in numbers, as its database tells them. */
export interface ServiceFigures {
  /** Of each status, also of those that no job has. */
  jobsByStatus(): Promise<ReadonlyMap<JobStatus, number>>;
  /** Analyses under way, the longest first, at most so many. */
  runningJobs(limit: number): Promise<readonly { readonly jobId: number; readonly since: Date }[]>;
  /** Bytes, of files as their rows say. */
  storedBytes(): Promise<ReadonlyMap<Store, number>>;
}

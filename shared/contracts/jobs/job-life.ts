import { z } from 'zod';
import { jobIds, PathId } from '../fields.ts';
import type { Operation } from '../operation.ts';

const Deleted = z.object({ deleted: z.number().int() });

/** What administrators do with jobs that are there (resolved-platform 3.4 and 11). */
export const jobLifeOperations = {
  deleteJob: {
    area: 'jobs',
    method: 'POST',
    path: '/jobs/{id}/delete',
    summary: 'Delete a job with all its results, and its file when no other job is on that',
    access: 'admin',
    params: PathId,
    success: [200],
    output: Deleted,
    errors: ['not_found'],
  },
  deleteJobs: {
    area: 'jobs',
    method: 'POST',
    path: '/jobs/bulk-delete',
    summary: 'Delete up to 100 jobs; ids that there are no jobs of are skipped',
    access: 'admin',
    body: z.object({ job_ids: jobIds(100) }),
    success: [200],
    output: Deleted,
    errors: [],
  },
  recoverStuckJobs: {
    area: 'jobs',
    method: 'POST',
    path: '/admin/recover-stuck-jobs',
    summary: 'Put jobs back in motion that no worker works on, and end those that cannot be helped; how many',
    access: 'admin',
    success: [200],
    output: z.object({ recovered: z.number().int() }),
    errors: [],
  },
} as const satisfies Record<string, Operation>;

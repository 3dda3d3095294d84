import { z } from 'zod';
import { JobStatus, PathId, Severity, Timestamp, ToldFileNumber, wholeNumber } from '../fields.ts';
import type { Operation } from '../operation.ts';

const Count = z.number().int().min(0);

/** Files like that of a job (resolved-platform 9.1), each by its newest visible job; `tlsh` is null when the job's has no digest. */
export const SimilarFiles = z.object({
  tlsh: z.string().nullable(),
  threshold: Count,
  files: z.array(
    z.object({
      file_id: ToldFileNumber,
      filename: z.string(),
      distance: Count,
      job_id: z.number().int(),
      status: JobStatus,
    }),
  ),
});
export type SimilarFiles = z.output<typeof SimilarFiles>;

/** Other jobs in which the same was found (resolved-platform 9.2). */
export const CorrelatedJobs = z.object({
  findings: z.array(
    z.object({
      job_id: z.number().int(),
      filename: z.string(),
      rule_name: z.string(),
      severity: Severity,
      count: Count,
      tool: z.string(),
      job_created_at: Timestamp,
    }),
  ),
});
export type CorrelatedJobs = z.output<typeof CorrelatedJobs>;

export const relatedJobOperations = {
  getSimilarFiles: {
    area: 'report',
    method: 'GET',
    path: '/jobs/{id}/similar',
    summary: 'Other files with like content, the 10 nearest, each by its newest visible job',
    access: 'anyone',
    params: PathId,
    query: z.object({ threshold: wholeNumber(0, 400).prefault(100) }),
    success: [200],
    output: SimilarFiles,
    errors: ['not_found'],
  },
  getCorrelatedJobs: {
    area: 'report',
    method: 'GET',
    path: '/jobs/{id}/correlated',
    summary: 'The 20 newest other jobs in which a finding with this rule signature was made',
    access: 'anyone',
    params: PathId,
    query: z.object({ rule_signature: z.string().min(1).max(200) }),
    success: [200],
    output: CorrelatedJobs,
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;

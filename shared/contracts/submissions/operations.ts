import { logTypes } from '@svc/domain';
import { z } from 'zod';
import { FileNumber, Flag, Id, jobIds, JobStatus, LogType, OptionalId, SeveritySummary, TagNames } from '../fields.ts';
import { JobSearchQuery } from '../jobs/job-search.ts';
import { JobRow } from '../jobs/operations.ts';
import type { Operation } from '../operation.ts';

/** Fields beside the file, or with the upload that its bytes were sent to (resolved-platform 10.1, 22; tags: service 2.1). */
export const SubmitJobInput = z.object({
  upload_id: z.string().max(64).optional(),
  workflow_id: Id,
  log_type_override: z.string().default('auto'),
  is_private: Flag,
  force_resubmit: Flag,
  case_id: OptionalId,
  tags: TagNames,
});
export type SubmitJobInput = z.output<typeof SubmitJobInput>;

export const SubmittedJob = z.object({
  job_id: z.number().int(),
  status: JobStatus,
  reused: z.boolean(),
  job_url: z.string(),
  case_id: z.number().int().nullable(),
});
export type SubmittedJob = z.output<typeof SubmittedJob>;

export const Workflow = z.object({
  id: z.number().int(),
  name: z.string(),
  log_types: z.array(LogType),
  is_default: z.boolean(),
});
export type Workflow = z.output<typeof Workflow>;

/** Grouped status: `error` is the stored text for admins and a generic sentence for others. */
export const JobState = z.object({
  job_id: z.number().int(),
  status: JobStatus,
  /** Parts of the log were damaged: what could be read of it was analysed. */
  partly_read: z.boolean(),
  total_findings: z.number().int(),
  severity_summary: SeveritySummary,
  error: z.string().nullable(),
  job_url: z.string(),
});
export type JobState = z.output<typeof JobState>;

export const JobStates = z.object({ jobs: z.array(JobState), unavailable_ids: z.array(z.number().int()) });
export type JobStates = z.output<typeof JobStates>;

export const DetectedType = z.object({ log_type: LogType, label: z.string() });
export type DetectedType = z.output<typeof DetectedType>;

/** What the Submit page needs at once. */
export const Home = z.object({
  workflows: z.array(Workflow.extend({ description: z.string() })),
  log_types: z.record(z.enum(logTypes), z.string()),
  samples: z.array(
    z.object({ name: z.string(), title: z.string(), description: z.string(), size_bytes: z.number().int() }),
  ),
  max_upload_size_mb: z.number().int(),
  /** Files up to this size are best sent in one form, larger ones as uploads of their own. */
  form_upload_bytes: z.number().int(),
  max_upload_files: z.number().int(),
  upload_slots: z.number().int(),
  can_group_cases: z.boolean(),
  demo_mode: z.boolean(),
});
export type Home = z.output<typeof Home>;

const JobIds = z
  .string()
  .max(600)
  .regex(/^\d{1,10}(,\d{1,10})*$/, 'must be comma-separated positive integers')
  .transform((ids): unknown[] => [...new Set(ids.split(','))])
  .pipe(z.array(Id).max(50));

/** Both ways to submit a file differ in who may take them (resolved-platform 10.1). */
const submission = {
  area: 'submissions',
  method: 'POST',
  scope: 'job:submit',
  body: SubmitJobInput,
  file: true,
  idempotent: true,
  limit: 'upload',
  success: [202, 200],
  output: SubmittedJob,
  errors: [
    'length_required',
    'too_large',
    'one_file',
    'unknown_workflow',
    'invalid_log_type',
    'workflow_mismatch',
    'forbidden',
    'case_not_found',
    'demo_mode',
    'busy',
    'low_space',
    'coordination_down',
    'no_upload',
    'upload_incomplete',
    'upload_used',
    'bad_key',
    'key_reused',
    'job_gone',
    'queue_unreachable',
  ],
} as const satisfies Partial<Operation>;

export const submissionOperations = {
  uploadFile: {
    ...submission,
    path: '/upload',
    summary: 'Submit one file from a browser or a script, with or without an account',
    access: 'anyone',
  },
  submitJob: {
    ...submission,
    path: '/api/v1/jobs',
    summary: 'Submit one file as an account',
    access: 'user',
  },
  resubmitJob: {
    area: 'submissions',
    method: 'POST',
    path: '/jobs/resubmit',
    summary: 'Analyse a file again that one has submitted before',
    access: 'user',
    limit: 'resubmit',
    body: z.object({ file_id: FileNumber, workflow_id: Id }),
    success: [202],
    output: SubmittedJob.pick({ job_id: true, job_url: true, status: true }),
    errors: ['forbidden', 'not_found', 'unknown_workflow', 'workflow_mismatch', 'demo_mode', 'queue_unreachable'],
  },
  rerunJobs: {
    area: 'submissions',
    method: 'POST',
    path: '/api/v1/jobs/rerun',
    summary: 'Analyse the files of up to 50 jobs, or of those that a search finds, again with the rules now in force',
    access: 'user',
    scope: 'job:submit',
    limit: 'resubmit',
    body: JobSearchQuery.extend({ job_ids: jobIds(50).optional(), dry_run: Flag }).refine(
      ({ job_ids: ids, q, tags }) => (ids === undefined) !== (q.trim() === '' && tags.length === 0),
      'give either job_ids or a search, by q or tags',
    ),
    success: [202],
    output: z.object({
      /** Jobs that were named or found. */
      matched: z.number().int(),
      /** Analyses that this repeats, or would: of a search, those of files that the caller has submitted. */
      analyses: z.number().int(),
      /** Most analyses that a search can have repeated. */
      limit: z.number().int(),
      /** Empty for a dry run. */
      jobs: z.array(
        z.object({
          job_id: z.number().int(),
          new_job_id: z.number().int().nullable(),
          job_url: z.string().nullable(),
          /** Why there is no new job. */
          error: z.object({ code: z.string(), detail: z.string() }).nullable(),
        }),
      ),
    }),
    errors: ['demo_mode', 'too_many', 'queue_unreachable'],
  },
  getSubmission: {
    area: 'submissions',
    method: 'GET',
    path: '/api/v1/submissions/{key+}',
    summary: 'The job that an idempotency key has created; what to ask after a lost answer',
    access: 'user',
    scope: 'job:submit',
    limit: 'api',
    params: z.object({ key: z.string() }),
    success: [200],
    output: SubmittedJob,
    errors: ['bad_key', 'no_receipt', 'job_gone'],
  },
  submitSample: {
    area: 'submissions',
    method: 'POST',
    path: '/api/ui/samples/{name}',
    summary: 'Submit one of the sample logs that ship with the service',
    access: 'anyone',
    params: z.object({ name: z.string().max(100) }),
    body: z.object({
      /** Done anew by this one. @default the usual one for its type, or the job that has done it */
      workflow_id: OptionalId,
      is_private: Flag,
    }),
    limit: 'upload',
    success: [202, 200],
    output: SubmittedJob,
    errors: ['demo_mode', 'queue_unreachable', 'unknown_workflow', 'workflow_mismatch'],
  },
  detectPreview: {
    area: 'submissions',
    method: 'POST',
    path: '/detect-preview',
    summary: 'Tell the type of a log from its first 64 KiB; nothing is stored',
    access: 'anyone',
    file: true,
    limit: 'preview',
    success: [200],
    output: DetectedType,
    errors: ['length_required', 'too_large', 'one_file', 'demo_mode'],
    bodyLimit: 256 * 1024,
  },
  listWorkflows: {
    area: 'submissions',
    method: 'GET',
    path: '/api/v1/workflows',
    summary: 'Workflows, ordered by name',
    access: 'anyone',
    scope: 'job:submit',
    limit: 'api',
    success: [200],
    output: z.object({ workflows: z.array(Workflow) }),
    errors: [],
  },
  getJobStates: {
    area: 'submissions',
    method: 'GET',
    path: '/api/v1/jobs',
    summary: 'States of up to 50 jobs; missing and invisible ids are told apart by nobody',
    access: 'anyone',
    scope: 'job:read',
    query: z.object({ ids: JobIds }),
    limit: 'api',
    success: [200],
    output: JobStates,
    errors: [],
  },
  getHome: {
    area: 'submissions',
    method: 'GET',
    path: '/api/ui/home',
    summary: 'What the Submit page shows, the 8 newest jobs that the caller sees among it',
    access: 'anyone',
    success: [200],
    output: Home.extend({ recent: z.array(JobRow) }),
    errors: [],
  },
} as const satisfies Record<string, Operation>;

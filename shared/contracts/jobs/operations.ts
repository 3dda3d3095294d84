import { z } from 'zod';
import {
  Id,
  JobStatus,
  LogType,
  Page,
  PathId,
  Severity,
  SeveritySummary,
  Tag,
  TaskStatus,
  Timestamp,
  ToldFileNumber,
} from '../fields.ts';
import { jobSorts, JobSearchQuery, QueryChip, QueryError, SearchSuggestions } from './job-search.ts';
import { pageSizes } from './preferences.ts';
import type { Operation } from '../operation.ts';

/** One row of the jobs list. */
export const JobRow = z.object({
  job_id: z.number().int(),
  job_url: z.string(),
  filename: z.string(),
  log_type: LogType,
  workflow: z.object({ id: z.number().int(), name: z.string() }),
  status: JobStatus,
  /** Parts of the log were damaged: what could be read of it was analysed. */
  partly_read: z.boolean(),
  size_bytes: z.number().int(),
  /** Matched events. */
  total_findings: z.number().int(),
  /** Rules that matched. */
  distinct_rules: z.number().int(),
  /** Those of them that something was decided about; 0 for viewers who are not signed in. */
  reviewed_rules: z.number().int(),
  severity_summary: SeveritySummary,
  /** The worst finding, and of those the one with the most matches; null until the job has ended, or without any. */
  top_finding: z.object({ id: z.number().int(), rule_name: z.string(), severity: Severity }).nullable(),
  score_ratio: z.string(),
  is_private: z.boolean(),
  /** Empty for viewers below member, as are the cases. */
  tags: z.array(Tag),
  /** Cases that hold the job and the viewer sees, at most 10. */
  member_cases: z.array(z.object({ case_id: z.number().int(), name: z.string() })),
  submitter: z.string(),
  created_at: Timestamp,
  started_at: Timestamp.nullable(),
  finished_at: Timestamp.nullable(),
  error: z.string().nullable(),
});
export type JobRow = z.output<typeof JobRow>;

/** A place in a list of one order, however deep, that the service has named: beside which row, and on which side of it. */
export const ListCursor = z.string().regex(/^(older|newer)-\d{1,15}-\d{1,10}$/);

export const JobList = z.object({
  jobs: z.array(JobRow),
  page: z.number().int(),
  per: z.number().int(),
  total: z.number().int(),
  /** Of what `total` says; where that is a floor, pages after them are reached by `older`. */
  total_pages: z.number().int(),
  /** The total was counted no further than this, 10,000: there are more. */
  total_is_floor: z.boolean(),
  /** Value of `cursor` for the next page and for the one before; null where there is none. */
  older: ListCursor.nullable(),
  newer: ListCursor.nullable(),
  has_running: z.boolean(),
  /** The terms of the query, in order. */
  query_chips: z.array(QueryChip),
  query_errors: z.array(QueryError),
  /** Tags that the jobs are asked to carry, by `tags` or by the query. */
  active_tags: z.array(Tag),
});
export type JobList = z.output<typeof JobList>;

/** A task, or one of the steps `post:analytics` and `post:similarity` after them, whose ids are negative. */
export const TaskState = z.object({
  id: z.number().int(),
  tool: z.string(),
  status: TaskStatus,
  findings_count: z.number().int(),
  duration_ms: z.number().int().nullable(),
  error: z.string().nullable(),
  /** Bytes of the input done so far; null before the task starts. */
  progress: z.object({ bytes_done: z.number().int(), bytes_total: z.number().int() }).nullable(),
});
export type TaskState = z.output<typeof TaskState>;

/** Rules that a job was analysed with. */
export const RuleSetInfo = z.object({
  name: z.string(),
  version: z.string(),
  loaded: z.number().int(),
  rejected: z.number().int(),
  packs: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      /** Date of its newest rule. */
      dated_at: z.string(),
      /** Days from then to now. */
      age_days: z.number().int(),
    }),
  ),
  /** Other versions are in force by now: an analysis today may find more. */
  newer: z.boolean(),
});

/** Which parts of reports the site shows. */
export const ReportPanels = z.object({
  mitre_heatmap: z.boolean(),
  event_timeline: z.boolean(),
  alert_timeline: z.boolean(),
  entities: z.boolean(),
  threat_detection: z.boolean(),
  process_tree: z.boolean(),
});
export type ReportPanels = z.output<typeof ReportPanels>;

export const JobDetail = JobRow.extend({
  file: z.object({
    id: z.number().int(),
    sha256: z.string(),
    size_bytes: z.number().int(),
    /** Similarity digest; null when the content is too small or uniform for one, or it is not made yet. */
    tlsh: z.string().nullable(),
    uploaded_at: Timestamp,
  }),
  detected_type: LogType,
  effective_log_type: LogType,
  original_filename: z.string().nullable(),
  /** Records in the log that were read. */
  events: z.number().int().nullable(),
  /** First and last time of the matched events. */
  first_event_at: z.string().nullable(),
  last_event_at: z.string().nullable(),
  rules: RuleSetInfo.nullable(),
  /** Damage met while reading the log, in words. */
  warnings: z.array(z.string()),
  /** Why the analysis takes, or took, longer than others, in words. */
  delay: z.string().nullable(),
  tasks: z.array(TaskState),
  /** Whether the viewer watches it. */
  watching: z.boolean(),
  /** None for viewers who are not signed in, who have no discussion either. */
  comment_count: z.number().int(),
  tabs: z.array(z.enum(['results', 'discussion', 'ai'])),
  can_cancel: z.boolean(),
  can_resubmit: z.boolean(),
  can_delete: z.boolean(),
  error_code: z.string().nullable(),
  /** Which parts of the report the site shows; the others are not served either. */
  panels: ReportPanels,
  /** What to submit again, where `dup=1` says that the job answered a submission of what was there already. */
  duplicate: z.object({ file_id: ToldFileNumber, workflow_id: z.number().int() }).optional(),
});
export type JobDetail = z.output<typeof JobDetail>;

export const JobProgress = z.object({
  status: JobStatus,
  terminal: z.boolean(),
  /** Why it takes longer than others, in words. */
  delay: z.string().nullable(),
  score_ratio: z.string(),
  total_findings: z.number().int(),
  severity_summary: SeveritySummary,
  tasks: z.array(TaskState),
  /** Of a waiting job: 1 for the one that is next. */
  queue_position: z.number().int().optional(),
  /** Mean of recent analyses by the same workflow, less what has passed; absent when there are none. */
  estimated_remaining_s: z.number().int().optional(),
});
export type JobProgress = z.output<typeof JobProgress>;

/** As it was asked for, offered or not; nonsense is 0. */
const PerPage = z.coerce
  .number()
  .int()
  .catch(0)
  .optional()
  .meta({ enum: [...pageSizes], default: pageSizes[0] });

export const jobOperations = {
  listJobs: {
    area: 'jobs',
    method: 'GET',
    path: '/jobs',
    summary:
      'Visible jobs that a search is met by, newest first or as sorted; a page past the end is the last page, and a cursor goes before a page',
    access: 'anyone',
    query: JobSearchQuery.extend({
      page: Page,
      per: PerPage,
      cursor: ListCursor.optional().catch(undefined),
      /** By the newest, the most matches, or the worst severity and its matches. @default created */
      sort: z.enum(jobSorts).optional().catch(undefined),
      /** `asc` goes the other way: from the oldest, the fewest, the mildest. @default desc */
      order: z.enum(['desc', 'asc']).optional().catch(undefined),
      view: z.string().max(20).optional(),
    }),
    success: [200],
    output: JobList,
    errors: [],
  },
  suggestJobSearch: {
    area: 'jobs',
    method: 'GET',
    path: '/jobs/search-suggest',
    summary: 'What can complete the term under the caret of a search for jobs',
    access: 'anyone',
    query: JobSearchQuery.pick({ q: true }).extend({
      /** Place of the caret in UTF-16 units; the end when there is none. */
      pos: z.coerce.number().int().min(0).max(2000).catch(2000).default(2000),
    }),
    success: [200],
    output: SearchSuggestions,
    errors: [],
  },
  getJob: {
    area: 'jobs',
    method: 'GET',
    path: '/jobs/{id}',
    summary: 'One job with its file, tasks and verdict',
    access: 'anyone',
    params: PathId,
    query: z.object({ dup: z.string().max(10).optional() }),
    success: [200],
    output: JobDetail,
    errors: ['not_found'],
  },
  getJobProgress: {
    area: 'jobs',
    method: 'GET',
    path: '/jobs/{id}/status',
    summary: 'What changes while a job runs; ask until it is terminal',
    access: 'anyone',
    params: PathId,
    success: [200],
    output: JobProgress,
    errors: ['not_found'],
  },
  cancelJob: {
    area: 'jobs',
    method: 'POST',
    path: '/jobs/{id}/cancel',
    summary: 'Stop a job; what finished tasks found is kept',
    access: 'user',
    params: PathId,
    success: [200],
    output: z.object({ job_id: Id, status: JobStatus, cancelling: z.boolean() }),
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Record<string, Operation>;

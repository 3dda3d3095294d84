import { tactics } from '@svc/domain';
import { z } from 'zod';
import { Id, jobIds, PathId, Severity, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { JobRow } from './operations.ts';

/** Most jobs of a batch. */
export const mostInBatch = 500;

/** Places of a rule, and jobs of a host, that a verdict names: those with the most matches. */
export const mostPlaces = 100;

const count = z.number().int();

/** Rules that matched, by severity. */
const RuleCounts = z.record(Severity, count);

/** What a job is called, and what came of it. */
export const JobVerdict = JobRow.pick({
  job_id: true,
  filename: true,
  log_type: true,
  status: true,
  partly_read: true,
  error: true,
  is_private: true,
  created_at: true,
  total_findings: true,
  severity_summary: true,
  top_finding: true,
}).extend({ rules: RuleCounts });
export type JobVerdict = z.output<typeof JobVerdict>;

const RuleName = z.object({
  /** The same for the same rule in every job. */
  signature: z.string(),
  rule_name: z.string(),
  severity: Severity,
  tactics: z.array(z.enum(tactics)),
});

/** A finding of a rule in one job. */
const Place = z.object({ job_id: count, finding_id: count, matches: count });

export const BatchVerdict = z.object({
  batch_id: count,
  created_at: Timestamp,
  /** As in lists of jobs. */
  submitter: z.string(),
  has_running: z.boolean(),
  /** Of jobs that have ended, as is all that follows. */
  matches: count,
  /** Worst first. */
  severities: z.array(z.object({ severity: Severity, rules: count, matches: count })),
  /** In the order of ATT&CK; a rule counts for each of its tactics. */
  tactics: z.array(z.object({ tactic: z.enum(tactics), rules: count, matches: count })),
  /** Worst first. */
  rules: z.array(
    RuleName.extend({
      matches: count,
      jobs: count,
      /** Known ones, sorted. */
      hosts: z.array(z.string()),
      /** The most matches first. */
      places: z.array(Place),
    }),
  ),
  /** Worst first, by the rules that matched there. */
  hosts: z.array(z.object({ host: z.string(), rules: RuleCounts, jobs: count, job_ids: z.array(count) })),
  /** Findings of which it is not known on which hosts they are. */
  findings_without_hosts: count,
  /** Worst first, by the rules that matched in them; then what runs. */
  jobs: z.array(JobVerdict),
});
export type BatchVerdict = z.output<typeof BatchVerdict>;

const Side = Place.omit({ job_id: true }).nullable();

export const JobComparison = z.object({
  a: JobVerdict,
  b: JobVerdict,
  /** How many rules matched where. */
  only_a: RuleCounts,
  only_b: RuleCounts,
  both: RuleCounts,
  /** Worst first; null where the rule did not match. */
  rules: z.array(RuleName.extend({ a: Side, b: Side })),
  /** By name; the rules that matched on the host, null where none is known to. */
  hosts: z.array(z.object({ host: z.string(), a: RuleCounts.nullable(), b: RuleCounts.nullable() })),
});
export type JobComparison = z.output<typeof JobComparison>;

/** What several jobs came to together. */
export const batchOperations = {
  createBatch: {
    area: 'jobs',
    method: 'POST',
    path: '/batches',
    summary: 'Remember jobs that were submitted together, two at least; the same jobs again are the same batch',
    access: 'anyone',
    scope: 'job:submit',
    limit: 'upload',
    body: z.object({ job_ids: jobIds(mostInBatch) }),
    success: [200],
    output: z.object({ batch_id: Id, batch_url: z.string() }),
    errors: ['not_found', 'demo_mode'],
  },
  getBatch: {
    area: 'jobs',
    method: 'GET',
    path: '/batches/{id}',
    summary: 'What the jobs of a batch that one may see came to: rules, hosts and logs, worst first',
    access: 'anyone',
    scope: 'job:read',
    params: PathId,
    success: [200],
    output: BatchVerdict,
    errors: ['not_found'],
  },
  compareJobs: {
    area: 'jobs',
    method: 'GET',
    path: '/jobs/compare',
    summary: 'Which rules matched in one of two jobs, or in both, and on which hosts',
    access: 'anyone',
    scope: 'job:read',
    query: z.object({ a: Id, b: Id }),
    success: [200],
    output: JobComparison,
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;

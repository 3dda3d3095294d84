import { severities } from '@svc/domain';
import { z } from 'zod';
import { JobStatus, PathId, Severity, Timestamp } from '../fields.ts';
import { EntityName } from '../intel/entity-links.ts';
import type { Operation } from '../operation.ts';

const Job = z.object({ id: z.number().int(), filename: z.string(), status: JobStatus, created_at: Timestamp });

/** What a case begins with, of its jobs that the caller sees (resolved-intel 16.4). */
export const caseOverviewOperations = {
  getCaseSummary: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/{id}/summary',
    summary: 'What the visible jobs of a case have found, over all of them',
    access: 'member',
    params: PathId,
    success: [200],
    output: z.object({
      jobs: z.number().int(),
      /** Findings, and matched events. */
      findings: z.number().int(),
      events: z.number().int(),
      by_severity: z.array(z.object({ severity: Severity, findings: z.number().int(), events: z.number().int() })),
      /** The worst of them; null where nothing was found. */
      suggested_severity: z.enum(severities).nullable(),
      /** The 10 worst, of these those of the most events. */
      top_rules: z.array(
        z.object({
          rule_name: z.string(),
          rule_id: z.string().nullable(),
          severity: Severity,
          events: z.number().int(),
          jobs: z.number().int(),
        }),
      ),
      tactics: z.array(z.object({ tactic: z.string(), findings: z.number().int(), events: z.number().int() })),
    }),
    errors: ['case_not_found'],
  },
  getCasePivots: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/{id}/pivots',
    summary:
      'What belongs into a case by what is in it: entities of its jobs, similar files, jobs with the same findings',
    access: 'member',
    params: PathId,
    success: [200],
    output: z.object({
      /** Of its jobs, not allowlisted, those that most events name; at most 10. */
      entities: z.array(EntityName.extend({ occurrence_count: z.number().int(), jobs: z.number().int() })),
      /** Jobs on files like those of its newest 10 jobs, nearest first; at most 8. */
      similar: z.array(
        Job.extend({ distance: z.number().int(), like: z.object({ id: z.number().int(), filename: z.string() }) }),
      ),
      /** Jobs in which its worst 20 rules match too; at most 10. */
      correlated: z.array(Job.extend({ severity: Severity, rules: z.array(z.string()), rule_count: z.number().int() })),
    }),
    errors: ['case_not_found'],
  },
} as const satisfies Record<string, Operation>;

import { severities } from '@svc/domain';
import { z } from 'zod';
import { Timestamp, wholeNumber } from '../fields.ts';
import { MatchedEvent } from '../report/findings.ts';
import type { Operation } from '../operation.ts';
import { RuleRemark } from './rule-packs.ts';

/** Source of one rule, or of some with the correlations that count them. */
export const RuleSource = z.string().trim().min(1).max(65_536);

const PlacedRemark = RuleRemark.omit({ path: true });

/** An event that a tested rule matches, its long values cut, and what of the rule it satisfies. */
export const TestedEvent = MatchedEvent.extend({
  rule: z.string(),
  /** None for the events of a correlation. */
  reasons: z.array(
    z.object({
      /** Named part of the detection. */
      part: z.string(),
      /** Field and modifiers as written; empty for a keyword. */
      key: z.string(),
      /** What the event has there; null where the field is absent, and for keywords. */
      found: z.array(z.string()).nullable(),
      /** Those of the rule’s values that hold. */
      values: z.array(z.string()),
    }),
  ),
});
export type TestedEvent = z.output<typeof TestedEvent>;

/** What the rules found in the log of one job. */
export const TestedJob = z.object({
  job_id: z.number().int(),
  filename: z.string(),
  log_type: z.string(),
  job_created_at: Timestamp,
  /** `log` is all of it, `events` what was kept of findings, `none` neither. */
  checked: z.enum(['log', 'events', 'none']),
  /** Why not all of the log, where that was asked for. */
  reason: z.string().nullable(),
  records: z.number().int(),
  rules: z.array(
    z.object({
      title: z.string(),
      count: z.number().int(),
      /** Records of its log source; null for kept events, which do not tell. */
      of_source: z.number().int().nullable(),
    }),
  ),
  /** The first ones of each rule. */
  events: z.array(TestedEvent),
});
export type TestedJob = z.output<typeof TestedJob>;

export const ruleTestOperations = {
  testRule: {
    area: 'rules',
    method: 'POST',
    path: '/api/v1/rules/test',
    summary: 'Hold a rule that is not in use against the newest visible jobs: their logs, or the events kept of them',
    access: 'member',
    limit: 'preview',
    body: z.object({
      source: RuleSource,
      against: z.enum(['logs', 'events']).default('logs'),
      /** Newest jobs with a report, one of each file. */
      jobs: wholeNumber(1, 25).prefault(10),
    }),
    success: [200],
    output: z.object({
      rules: z.array(
        z.object({
          rule_id: z.string().nullable(),
          title: z.string(),
          level: z.enum(severities),
          correlation: z.boolean(),
        }),
      ),
      rejected: z.array(PlacedRemark),
      warnings: z.array(PlacedRemark),
      jobs: z.array(TestedJob),
      /** False when the time for a test was over before all jobs were. */
      complete: z.boolean(),
    }),
    errors: ['pack_refused', 'busy'],
  },
} as const satisfies Record<string, Operation>;

import { severities } from '@svc/domain';
import { z } from 'zod';
import { Page, Switch, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { NamedPack, RuleOverride, RulePack, rulePackOperations } from './rule-packs.ts';
import { coverageOperations } from './coverage.ts';
import { RuleSource, ruleTestOperations } from './rule-tests.ts';

const RuleId = z.string().toLowerCase().min(1).max(100);

/** A rule of a pack, with what was decided about it. */
export const PackRule = z.object({
  /** Null for a rule that no decision can be kept for. */
  rule_id: z.string().nullable(),
  title: z.string(),
  /** Its own. */
  level: z.enum(severities),
  status: z.string().nullable(),
  tags: z.array(z.string()),
  author: z.string().nullable(),
  /** Product, category and service, as far as it states them; null for a correlation. */
  log_source: z.array(z.string()).nullable(),
  path: z.string(),
  enabled: z.boolean(),
  level_override: z.enum(severities).nullable(),
  /** What it did in the newest jobs that the caller may see. */
  recent: z.object({
    events: z.number().int().min(0),
    jobs: z.number().int().min(0),
    /** It matches more often than a rule of its level should. */
    is_noisy: z.boolean(),
    /** Records that it was evaluated on, of those jobs whose rules were measured, by a sample of them. */
    tries: z.number().min(0),
    /** Processor time that this took, in milliseconds per million records of those jobs. */
    ms_per_million: z.number().min(0),
    /** Of the time that all rules took there, 0 to 1. */
    share: z.number().min(0).max(1),
  }),
});
export type PackRule = z.output<typeof PackRule>;

const RuleCount = z.number().int().min(0);

/** The newest jobs that the caller may see, which hits are told over, and those of them whose rules were measured. */
const RecentJobs = z.object({
  jobs: RuleCount,
  records: RuleCount,
  measured_jobs: RuleCount,
  measured_records: RuleCount,
});

export const ruleOperations = {
  ...rulePackOperations,
  listRules: {
    area: 'rules',
    method: 'GET',
    path: '/api/v1/rule-packs/{name}/rules',
    summary: 'Rules of a pack in force by title, 100 a page, and what the whole pack covers',
    access: 'member',
    params: NamedPack,
    query: z.object({
      /** In title, id, tags or path. */
      q: z.string().max(200).optional(),
      level: z.enum(severities).optional(),
      /** A Sigma status; correlations have none. */
      status: z.string().max(40).toLowerCase().optional(),
      tactic: z.string().max(40).optional(),
      /** Sub-techniques are included. */
      technique: z.string().max(20).toUpperCase().optional(),
      /** A product, category or service, or `correlation`. */
      log_source: z.string().max(100).toLowerCase().optional(),
      /** Whether they fired in a job that the caller may see. */
      fired: z.stringbool().optional(),
      /** Only those that something was decided about. */
      decided: z.stringbool().default(false),
      /** By title, unless those with the most recent matches, the noisy ones alone, or those that took most come first. */
      order: z.enum(['title', 'events', 'noisy', 'slow']).default('title'),
      page: Page,
    }),
    success: [200],
    output: z.object({
      version: z.string(),
      rules: z.array(PackRule),
      recent: RecentJobs,
      page: z.number().int(),
      total: RuleCount,
      total_pages: z.number().int(),
      /** Rules of the whole pack by tactic and by technique, which counts those of its sub-techniques too. */
      coverage: z.object({
        tactics: z.record(z.string(), RuleCount),
        techniques: z.record(z.string(), RuleCount),
        /** Techniques of each tactic, as far as rules name one of them and ATT&CK puts it there; without sub-techniques. */
        matrix: z.record(z.string(), z.array(z.string())),
      }),
      statuses: z.array(z.object({ name: z.string(), rules: RuleCount })),
      log_sources: z.array(z.object({ name: z.string(), rules: RuleCount })),
    }),
    errors: ['not_found'],
  },
  getRule: {
    area: 'rules',
    method: 'GET',
    path: '/api/v1/rule-packs/{name}/rules/{rule_id}',
    summary: 'A rule of a pack with its source, and the newest visible jobs in which it fired',
    access: 'member',
    params: NamedPack.extend({ rule_id: RuleId }),
    success: [200],
    output: PackRule.extend({
      source: z.string(),
      recent_jobs: RecentJobs,
      fired: z.array(
        z.object({
          job_id: z.number().int(),
          filename: z.string(),
          count: z.number().int(),
          job_created_at: Timestamp,
        }),
      ),
    }),
    errors: ['not_found'],
  },
  ...ruleTestOperations,
  ...coverageOperations,
  saveRule: {
    area: 'rules',
    method: 'POST',
    path: '/api/v1/rules',
    summary: 'Write a rule of one’s own into the pack “custom”, as a new version of it, or replace one that is there',
    access: 'admin',
    scope: 'rule:write',
    limit: 'api',
    body: z.object({
      source: RuleSource,
      /** The rule of the pack that it takes the place of; none to add it. */
      rule_id: RuleId.optional(),
    }),
    success: [200],
    output: z.object({
      pack: RulePack,
      /** Given to it where the source has none. */
      rule_id: z.string(),
    }),
    errors: ['pack_refused', 'not_found', 'conflict', 'low_space'],
  },
  deleteRule: {
    area: 'rules',
    method: 'POST',
    path: '/api/v1/rules/{rule_id}/delete',
    summary: 'Remove a rule of one’s own from the pack “custom”; the pack goes with its last one',
    access: 'admin',
    scope: 'rule:write',
    limit: 'api',
    params: z.object({ rule_id: RuleId }),
    success: [204],
    output: null,
    errors: ['pack_refused', 'not_found', 'conflict', 'low_space'],
  },
  overrideRule: {
    area: 'rules',
    method: 'POST',
    path: '/api/v1/rule-packs/{name}/rules/{rule_id}',
    summary: 'Switch a rule of a pack off or on, or give it another level, for this version and all that follow',
    access: 'admin',
    scope: 'rule:write',
    limit: 'api',
    params: NamedPack.extend({ rule_id: RuleId }),
    body: z.object({
      enabled: Switch.default(true),
      /** Null, or empty, for the rule’s own. */
      level: z
        .union([z.literal('').transform(() => null), z.enum(severities), z.null()], {
          error: `must be one of ${severities.join(', ')}, or nothing`,
        })
        .default(null),
    }),
    success: [200],
    output: z.object({ overrides: z.array(RuleOverride) }),
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;

import { packNamePattern, severities } from '@svc/domain';
import { z } from 'zod';
import { Id, Page, ReadinessCheck, Switch, Timestamp, wholeNumber } from './fields.ts';
import { MatchedEvent } from './findings.ts';
import type { Operation } from './operation.ts';

const PackName = z.string().regex(packNamePattern, 'must be a name of letters, digits, dots, dashes and underscores');
const RuleId = z.string().toLowerCase().min(1).max(100);
const NamedPack = z.object({ name: PackName });

export const RulePackVersion = z.object({
  id: z.number().int(),
  version: z.string(),
  /** SHA-256 over its files. */
  digest: z.string(),
  /** Address or file that it came from; `shipped` for what comes with the service. */
  source: z.string(),
  licence: z.string().nullable(),
  /** Rules and correlations that can be used. */
  loaded: z.number().int(),
  rejected: z.number().int(),
  /** Left out because their own status says that they are no longer to be used. */
  retired: z.number().int(),
  warnings: z.number().int(),
  /** Date of its newest rule. */
  dated_at: z.string(),
  age_days: z.number().int(),
  imported_at: Timestamp,
});
export type RulePackVersion = z.output<typeof RulePackVersion>;

export const RulePack = z.object({
  name: z.string(),
  enabled: z.boolean(),
  /** Where its next version is looked for; null for nowhere. */
  url: z.string().nullable(),
  checked_at: Timestamp.nullable(),
  check_error: z.string().nullable(),
  /** Its newest rule is more than 180 days old. */
  is_stale: z.boolean(),
  in_force: RulePackVersion,
});
export type RulePack = z.output<typeof RulePack>;

export const RuleOverride = z.object({
  rule_id: z.string(),
  enabled: z.boolean(),
  level: z.enum(severities).nullable(),
});
export type RuleOverride = z.output<typeof RuleOverride>;

const RuleRemark = z.object({ path: z.string(), line: z.number().int(), message: z.string() });
export type RuleRemark = z.output<typeof RuleRemark>;

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
});
export type PackRule = z.output<typeof PackRule>;

const RuleCount = z.number().int().min(0);

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

/** Lists of a report are cut to so many entries. */
export const mostRemarks = 2000;

export const ruleOperations = {
  listRulePacks: {
    area: 'rules',
    method: 'GET',
    path: '/api/v1/rule-packs',
    summary: 'Rule packs with their versions in force, by name',
    access: 'admin',
    scope: 'rule:write',
    limit: 'api',
    success: [200],
    output: z.object({ packs: z.array(RulePack), readiness: z.array(ReadinessCheck) }),
    errors: [],
  },
  importRulePack: {
    area: 'rules',
    method: 'POST',
    path: '/api/v1/rule-packs',
    summary: 'Take a rule pack, from an upload or from its address, and put it in force; all of it or nothing',
    access: 'admin',
    scope: 'rule:write',
    limit: 'api',
    body: z
      .object({
        /** A zip archive or gzipped tar that was sent to a reserved upload. */
        upload_id: z.string().max(64).optional(),
        /** Where the pack is; looked at again for newer versions. */
        url: z
          .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
          .max(2000)
          .optional(),
        /** @default what the pack says, or the file is called */
        name: PackName.optional(),
        /** @default what the pack says, or the date of its newest rule */
        version: z.string().trim().min(1).max(100).optional(),
      })
      .refine(
        ({ upload_id, url }) => (upload_id === undefined) !== (url === undefined),
        'give one of upload_id and url',
      ),
    success: [201, 200],
    output: z.object({
      pack: RulePack,
      /** False when just this was in force already. */
      changed: z.boolean(),
    }),
    errors: ['pack_refused', 'no_upload', 'upload_incomplete', 'low_space'],
  },
  getRulePack: {
    area: 'rules',
    method: 'GET',
    path: '/api/v1/rule-packs/{name}',
    summary: 'A rule pack, the versions of it that are kept, and what was decided about its rules',
    access: 'admin',
    scope: 'rule:write',
    limit: 'api',
    params: NamedPack,
    success: [200],
    output: RulePack.extend({ versions: z.array(RulePackVersion), overrides: z.array(RuleOverride) }),
    errors: ['not_found'],
  },
  getRulePackReport: {
    area: 'rules',
    method: 'GET',
    path: '/api/v1/rule-packs/{name}/report',
    summary: 'What became of the rules of a pack’s version in force: rejected, retired, and warnings, with their lines',
    access: 'admin',
    scope: 'rule:write',
    limit: 'api',
    params: NamedPack,
    success: [200],
    output: z.object({
      version: z.string(),
      rejected: z.array(RuleRemark),
      retired: z.array(RuleRemark),
      warnings: z.array(RuleRemark),
    }),
    errors: ['not_found'],
  },
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
      page: Page,
    }),
    success: [200],
    output: z.object({
      version: z.string(),
      rules: z.array(PackRule),
      page: z.number().int(),
      total: RuleCount,
      total_pages: z.number().int(),
      /** Rules of the whole pack by tactic and by technique, which counts those of its sub-techniques too. */
      coverage: z.object({
        tactics: z.record(z.string(), RuleCount),
        techniques: z.record(z.string(), RuleCount),
        /** Techniques of each tactic, as far as rules name both; without sub-techniques. */
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
  changeRulePack: {
    area: 'rules',
    method: 'POST',
    path: '/api/v1/rule-packs/{name}',
    summary: 'Switch a rule pack on or off, or go back to a version of it that is kept',
    access: 'admin',
    scope: 'rule:write',
    limit: 'api',
    params: NamedPack,
    body: z.object({
      enabled: Switch.optional(),
      version_id: Id.optional(),
    }),
    success: [200],
    output: RulePack,
    errors: ['not_found'],
  },
  deleteRulePack: {
    area: 'rules',
    method: 'POST',
    path: '/api/v1/rule-packs/{name}/delete',
    summary: 'Remove a rule pack and what was decided about its rules; the core pack can only be switched off',
    access: 'admin',
    scope: 'rule:write',
    limit: 'api',
    params: NamedPack,
    success: [204],
    output: null,
    errors: ['not_found', 'conflict'],
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

import {
  alertRuleLimits,
  alertRuleScopes,
  entityTypes,
  ruleListLimits,
  tagColors,
  webhookMethods,
  webhookTemplateKinds,
} from '@svc/domain';
import { z } from 'zod';
import { Flag, Id, OptionalId, PathId, ProblemReason, ReadinessCheck, Switch, Timestamp } from '../fields.ts';
import { WatchedJob } from '../discussions/operations.ts';
import type { Operation } from '../operation.ts';
import { AlertLists } from './alerts.ts';
import { RuleList } from './rule-lists.ts';
import { WebhookDelivery } from './webhook-deliveries.ts';

/** What a webhook is sent: the product's own body, or one for a chat. */
const Template = z.enum(['svc', ...webhookTemplateKinds]);

const WebhookHeaders = z.record(z.string(), z.union([z.string(), z.number()]));

/** A rule as those see it who may read it (resolved-intel 10.1). */
export const AlertRule = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string(),
  /** Null of a shared rule. */
  owner_user_id: z.string().nullable(),
  /** As others call its owner. */
  owner: z.string().nullable(),
  is_shared: z.boolean(),
  /** Of a shared rule. */
  key: z.string().nullable(),
  scope: z.enum(alertRuleScopes),
  query: z.string(),
  /** None for all. */
  entity_types: z.array(z.enum(entityTypes)),
  action_tags: z.array(z.object({ name: z.string(), color: z.enum(tagColors) })),
  action_notify: z.boolean(),
  webhook_enabled: z.boolean(),
  /** What follows of the webhook is for those who may edit the rule; null for others. */
  webhook_url: z.string().nullable(),
  webhook_method: z.enum(webhookMethods).nullable(),
  webhook_headers: WebhookHeaders.nullable(),
  webhook_template: Template.nullable(),
  /** Of a template of one's own: JSON whose texts may hold placeholders. */
  webhook_template_body: z.string().nullable(),
  has_secret: z.boolean().nullable(),
  notify_job_watch: z.boolean(),
  enabled: z.boolean(),
  /** The entity whose star made it; while its condition is as the star wrote it, it matches that alone. */
  auto_entity_id: z.number().int().nullable(),
  matches_entity_alone: z.boolean(),
  /** Whether a shared rule differs from what was shipped, or never was. */
  edited: z.boolean(),
  can_edit: z.boolean(),
  /** Names of the lists that it tests. */
  lists: z.array(z.string()),
  last_evaluated_at: Timestamp.nullable(),
  last_matched_at: Timestamp.nullable(),
  /** When there were last more matches than are recorded of one job. */
  last_truncated_at: Timestamp.nullable(),
  /** Alerts that were recorded. */
  match_count: z.number().int(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type AlertRule = z.output<typeof AlertRule>;

const AlertRuleWarning = z.enum(['matches_everything']);
const SavedAlertRule = z.object({ rule: AlertRule, warnings: z.array(AlertRuleWarning) });

// How long they may be is told by the validator, with all else that is wrong.
const text = z.string().max(10_000);
const Words = z
  .union([text, z.array(text).max(100)], { error: 'must be words, as a list or with commas between them' })
  .transform((sent) => [sent].flat().flatMap((one) => one.split(',').filter((word) => word.trim() !== '')));
const ActionTags = z
  .union(
    [
      text.transform((names) => names.split(',').filter((name) => name.trim() !== '')),
      z.array(z.union([text, z.object({ name: text, color: z.string().max(40).default('gray') })])).max(100),
    ],
    { error: 'must be tags, by their names or as { name, color }' },
  )
  .transform((tags) => tags.map((tag) => (typeof tag === 'string' ? { name: tag, color: 'gray' } : tag)));
const Headers = z.union([text, z.record(z.string().max(2000), z.unknown())], { error: 'must be a JSON object' });

/** What a condition looks through, and which of it. */
export const RuleCondition = z.object({
  query: text.default(''),
  scope: z.string().max(40).default('entity'),
  entity_types: Words.default([]),
  /** The rule that is edited: while its star’s condition is unedited, it stands for its entity. */
  rule_id: OptionalId,
});
export const NamedEntity = z.object({ id: z.number().int(), type: z.enum(entityTypes), value: z.string() });

/** What a version of a rule says. */
const Definition = AlertRule.pick({
  name: true,
  description: true,
  scope: true,
  query: true,
  entity_types: true,
  action_tags: true,
  action_notify: true,
  webhook_enabled: true,
  notify_job_watch: true,
}).extend({
  webhook_url: z.string().nullable(),
  webhook_method: z.enum(webhookMethods),
  webhook_headers: WebhookHeaders,
  webhook_template: Template,
  webhook_template_body: z.string().nullable(),
});
export type AlertRuleDefinition = z.output<typeof Definition>;

/** What a request says of a rule; what it leaves out stays as it is, or as new rules have it. */
const AlertRuleFields = z.object({
  name: text.optional(),
  description: text.optional(),
  scope: z.string().max(40).optional(),
  query: text.optional(),
  entity_types: Words.optional(),
  action_tags: ActionTags.optional(),
  action_notify: Switch.optional(),
  webhook_url: text.nullable().optional(),
  webhook_method: z.string().max(40).optional(),
  webhook_headers: Headers.optional(),
  webhook_template: Template.optional(),
  webhook_template_body: text.nullable().optional(),
  webhook_enabled: Switch.optional(),
  /** Empty for the one that there is. */
  webhook_secret: z
    .string()
    .max(alertRuleLimits.secret, `must be at most ${alertRuleLimits.secret} characters`)
    .default(''),
  clear_secret: Flag,
  notify_job_watch: Switch.optional(),
  enabled: Switch.optional(),
});
export type AlertRuleFields = z.output<typeof AlertRuleFields>;

const common = { area: 'alerts', access: 'member' } as const;

/** Rules of users and of the site (resolved-intel 10). */
export const alertRuleOperations = {
  listAlertRules: {
    ...common,
    method: 'GET',
    path: '/intel/rules',
    summary:
      'One’s own alert rules, those that all share, and for administrators those of others, with lists, what waits in the bell, deliveries and watched jobs',
    success: [200],
    output: z.object({
      /** The newest first. */
      mine: z.array(AlertRule),
      /** In the order in which they were made. */
      shared: z.array(AlertRule),
      /** Of other members, for administrators. */
      others: z.array(AlertRule),
      /** What `list:` can name, with the first of the values. */
      lists: z.array(RuleList),
      /** Those that wait, as `listAlerts` has them; the newest deliveries; the jobs that the caller watches. */
      alerts: AlertLists,
      deliveries: z.array(WebhookDelivery),
      watched_jobs: z.array(WatchedJob),
      /** The most that one may own, and how many these are. */
      rule_cap: z.number().int(),
      own_count: z.number().int(),
      /** Whether shared rules run (the site setting `builtin_rules_enabled`). */
      shared_enabled: z.boolean(),
      /** For administrators: whom webhooks can reach. */
      readiness: z.array(ReadinessCheck),
    }),
    errors: [],
  },
  getAlertRule: {
    ...common,
    method: 'GET',
    path: '/intel/rules/{id}',
    alias: '/intel/rules/{id}/edit',
    summary: 'An alert rule that one may read',
    params: PathId,
    success: [200],
    output: AlertRule,
    errors: ['not_found'],
  },
  createAlertRule: {
    ...common,
    method: 'POST',
    path: '/intel/rules',
    summary: 'Make an alert rule; administrators also a shared one, with a key',
    body: AlertRuleFields.extend({ is_shared: Flag, key: text.optional() }),
    success: [201],
    output: SavedAlertRule,
    errors: ['invalid_rule', 'forbidden', 'conflict'],
  },
  changeAlertRule: {
    ...common,
    method: 'POST',
    path: '/intel/rules/{id}',
    alias: '/intel/rules/{id}/edit',
    summary: 'Change of an alert rule what the request says, and keep the version before',
    params: PathId,
    body: AlertRuleFields,
    success: [200],
    output: SavedAlertRule,
    errors: ['not_found', 'invalid_rule'],
  },
  toggleAlertRule: {
    ...common,
    method: 'POST',
    path: '/intel/rules/{id}/toggle',
    summary: 'Switch an alert rule off, or on again',
    params: PathId,
    success: [200],
    output: z.object({ enabled: z.boolean() }),
    errors: ['not_found'],
  },
  deleteAlertRule: {
    ...common,
    method: 'POST',
    path: '/intel/rules/{id}/delete',
    summary: 'Delete an alert rule with its alerts and deliveries; tags that it gave stay',
    params: PathId,
    success: [204],
    output: null,
    errors: ['not_found'],
  },
  previewAlertRule: {
    ...common,
    method: 'GET',
    path: '/intel/rules/preview',
    summary: 'What a condition finds right now: entities of all jobs, or jobs that one sees; with the first of them',
    query: RuleCondition,
    success: [200],
    output: z.object({
      count: z.number().int(),
      /** Whether there are more than were counted. */
      approximate: z.boolean(),
      errors: z.array(ProblemReason),
      /** The first of what is found. */
      entities: z.array(NamedEntity),
      jobs: z.array(z.object({ id: z.number().int(), filename: z.string() })),
    }),
    errors: ['not_found'],
  },
  dryRunAlertRule: {
    ...common,
    method: 'POST',
    path: '/intel/rules/dry-run',
    summary: 'What a condition would have matched in the last 25 jobs that one sees and that have a result',
    body: RuleCondition,
    success: [200],
    output: z.object({
      jobs: z.number().int(),
      matched_jobs: z.number().int(),
      /** An entity that two jobs name counts twice. */
      alerts: z.number().int(),
      per_job: z.array(z.object({ job_id: z.number().int(), count: z.number().int() })),
      errors: z.array(ProblemReason),
    }),
    errors: ['not_found'],
  },
  listAlertRuleVersions: {
    ...common,
    method: 'GET',
    path: '/intel/rules/{id}/versions',
    summary: 'What an alert rule said before, for those who may edit it: the last 20 versions',
    params: PathId,
    success: [200],
    output: z.object({
      versions: z.array(
        z.object({
          version: z.number().int(),
          changed_at: Timestamp,
          /** Null for a process, or an account that has gone. */
          changed_by: z.string().nullable(),
          says: Definition,
        }),
      ),
    }),
    errors: ['not_found'],
  },
  restoreAlertRule: {
    ...common,
    method: 'POST',
    path: '/intel/rules/{id}/versions/{version}/restore',
    summary: 'Have an alert rule say again what it said in a version; the secret of its webhook stays',
    params: PathId.extend({ version: Id }),
    success: [200],
    output: SavedAlertRule,
    errors: ['not_found', 'invalid_rule'],
  },
  promoteSet: {
    ...common,
    access: 'admin',
    method: 'POST',
    path: '/intel/rules/{id}/promote-set',
    summary: 'Make a list of the one set, in:(…), of a rule’s condition, which asks for the list from then on',
    params: PathId,
    body: z.object({
      name: z
        .string()
        .trim()
        .regex(/^[a-z0-9_]{1,50}$/, `must be 1 to ${ruleListLimits.name} of a-z, 0-9 and _`),
      description: z
        .string()
        .trim()
        .max(ruleListLimits.description, `at most ${ruleListLimits.description} characters`)
        .default(''),
    }),
    success: [200],
    output: SavedAlertRule,
    errors: ['not_found', 'conflict', 'invalid_rule'],
  },
  toggleStar: {
    ...common,
    method: 'POST',
    path: '/intel/entities/{id}/watchlist',
    summary: 'Watch an entity by a rule of one’s own, or no longer',
    params: PathId,
    success: [200],
    /** Whether the caller watches it, and whether anybody does. */
    output: z.object({ watching: z.boolean(), watchlist: z.boolean() }),
    errors: ['not_found', 'rule_limit'],
  },
} as const satisfies Record<string, Operation>;

import { alertRuleLimits, alertRuleScopes, entityTypes, tagColors, webhookMethods } from '@svc/domain';
import { z } from 'zod';
import { Flag, PathId, Switch, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';

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
  /** For those who may edit it. */
  webhook: z
    .object({
      url: z.string().nullable(),
      method: z.enum(webhookMethods),
      headers: z.record(z.string(), z.union([z.string(), z.number()])),
      has_secret: z.boolean(),
    })
    .nullable(),
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
    summary: 'One’s own alert rules, those that all share, and for administrators those of others',
    success: [200],
    output: z.object({
      /** The newest first. */
      mine: z.array(AlertRule),
      /** In the order in which they were made. */
      shared: z.array(AlertRule),
      /** Of other members, for administrators. */
      others: z.array(AlertRule),
      /** Names that `list:` can have. */
      list_names: z.array(z.string()),
      /** The most that one may own, and how many these are. */
      rule_cap: z.number().int(),
      own_count: z.number().int(),
    }),
    errors: [],
  },
  getAlertRule: {
    ...common,
    method: 'GET',
    path: '/intel/rules/{id}',
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

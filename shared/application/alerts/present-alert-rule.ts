import type { AlertRule as AlertRuleView } from '@svc/contracts';
import {
  hasRole,
  isUneditedStar,
  publicName,
  tagColor,
  type Actor,
  type EntityType,
  type RuleWebhook,
} from '@svc/domain';
import type { OwnedAlertRule } from './alert-rule-repository.ts';
import { listsIn } from './rule-condition.ts';

/** Whether an account may change a rule (resolved-intel 10.1). */
export function mayEdit({ ownerId }: Pick<OwnedAlertRule, 'ownerId'>, actor: Actor): boolean {
  return hasRole(actor, 'admin') || (actor.kind === 'account' && ownerId === actor.userId);
}

/** The entity that a rule matches alone: that of its star, as long as nobody has changed what it looks for. */
export function starredEntity(rule: OwnedAlertRule): number | null {
  const { autoEntityId, starred } = rule;
  if (autoEntityId === null || starred === null) return null;
  // The cast is safe: it is of a row of entities.
  return isUneditedStar(rule, { type: starred.type as EntityType, value: starred.value }) ? autoEntityId : null;
}

/** A rule as answers show it to this account; where it tells of matches is for those who may edit it. */
export function presentAlertRule(rule: OwnedAlertRule, actor: Actor): AlertRuleView {
  const canEdit = mayEdit(rule, actor);
  return {
    id: rule.id,
    name: rule.name,
    description: rule.description,
    owner_user_id: rule.ownerId,
    owner: rule.owner && publicName(rule.owner),
    is_shared: rule.ownerId === null,
    key: rule.key,
    scope: rule.scope,
    query: rule.query,
    entity_types: [...rule.entityTypes],
    action_tags: rule.actionTags.map(({ name, color }) => ({ name, color: tagColor(color) })),
    action_notify: rule.notifies,
    webhook_enabled: rule.webhook.enabled,
    ...(canEdit ? { ...presentWebhook(rule.webhook), has_secret: rule.hasSecret } : unknownWebhook),
    notify_job_watch: rule.tellsOfWatchedJobs,
    enabled: rule.enabled,
    auto_entity_id: rule.autoEntityId,
    matches_entity_alone: starredEntity(rule) !== null,
    edited: rule.ownerId === null && rule.seedHash === null,
    can_edit: canEdit,
    lists: listsIn(rule.scope, rule.query),
    last_evaluated_at: rule.lastEvaluatedAt?.toISOString() ?? null,
    last_matched_at: rule.lastMatchedAt?.toISOString() ?? null,
    last_truncated_at: rule.lastTruncatedAt?.toISOString() ?? null,
    match_count: rule.matchCount,
    created_at: rule.createdAt.toISOString(),
    updated_at: rule.updatedAt.toISOString(),
  };
}

/** A webhook as answers say it, by the names that requests have for it. */
export function presentWebhook({ url, method, headers, template = null }: RuleWebhook) {
  return {
    webhook_url: url,
    webhook_method: method,
    webhook_headers: { ...headers },
    webhook_template: template?.kind ?? ('svc' as const),
    webhook_template_body: template?.kind === 'custom' ? template.body : null,
  };
}

/** What others learn of it. */
const unknownWebhook = {
  webhook_url: null,
  webhook_method: null,
  webhook_headers: null,
  webhook_template: null,
  webhook_template_body: null,
  has_secret: null,
};

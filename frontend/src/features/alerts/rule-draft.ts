import type { AlertRule, operations, RequestOf } from '@svc/contracts';
import type { EntityType, TagColor } from '@svc/domain';

/** What a webhook is sent. */
export type WebhookTemplateName = NonNullable<AlertRule['webhook_template']>;

/** A rule as the form holds it. */
export interface RuleDraft {
  readonly name: string;
  readonly description: string;
  readonly scope: AlertRule['scope'];
  readonly query: string;
  readonly entityTypes: readonly EntityType[];
  /** Names with commas between them. */
  readonly tags: string;
  /** By name; of those that were not given one, gray. */
  readonly tagColors: Readonly<Record<string, TagColor>>;
  readonly notifies: boolean;
  readonly isShared: boolean;
  readonly key: string;
  readonly webhookUrl: string;
  readonly webhookMethod: string;
  readonly webhookHeaders: string;
  readonly webhookTemplate: WebhookTemplateName;
  /** Of a template of one's own. */
  readonly webhookBody: string;
  readonly webhookEnabled: boolean;
  /** Of a new secret; empty to keep the one that there is. */
  readonly secret: string;
  readonly clearsSecret: boolean;
  readonly tellsOfWatchedJobs: boolean;
}

export function newDraft(of: Partial<RuleDraft> = {}): RuleDraft {
  return {
    name: '',
    description: '',
    scope: 'entity',
    query: '',
    entityTypes: [],
    tags: '',
    tagColors: {},
    notifies: true,
    isShared: false,
    key: '',
    webhookUrl: '',
    webhookMethod: 'POST',
    webhookHeaders: '',
    webhookTemplate: 'svc',
    webhookBody: '',
    webhookEnabled: true,
    secret: '',
    clearsSecret: false,
    tellsOfWatchedJobs: false,
    ...of,
  };
}

export function draftOf(rule: AlertRule): RuleDraft {
  const headers = rule.webhook_headers ?? {};
  return newDraft({
    name: rule.name,
    description: rule.description,
    scope: rule.scope,
    query: rule.query,
    entityTypes: rule.entity_types,
    tags: rule.action_tags.map(({ name }) => name).join(', '),
    tagColors: Object.fromEntries(rule.action_tags.map(({ name, color }) => [name, color])),
    notifies: rule.action_notify,
    isShared: rule.is_shared,
    key: rule.key ?? '',
    webhookUrl: rule.webhook_url ?? '',
    webhookMethod: rule.webhook_method ?? 'POST',
    webhookHeaders: Object.keys(headers).length > 0 ? JSON.stringify(headers) : '',
    webhookTemplate: rule.webhook_template ?? 'svc',
    webhookBody: rule.webhook_template_body ?? '',
    webhookEnabled: !rule.webhook_url || rule.webhook_enabled,
    tellsOfWatchedJobs: rule.notify_job_watch,
  });
}

/** The tags that a draft names, each once, as they are stored. */
export function tagsOf({ tags, tagColors }: RuleDraft): { readonly name: string; readonly color: TagColor }[] {
  const names = tags.split(',').map((name) => name.trim().toLowerCase());
  return [...new Set(names)]
    .filter((name) => name !== '')
    .map((name) => ({ name, color: (Object.hasOwn(tagColors, name) && tagColors[name]) || 'gray' }));
}

/** What a save sends. */
export function fieldsOf(draft: RuleDraft): Omit<RequestOf<typeof operations.changeAlertRule>, 'id'> {
  return {
    name: draft.name,
    description: draft.description,
    scope: draft.scope,
    query: draft.query,
    entity_types: [...draft.entityTypes],
    action_tags: tagsOf(draft),
    action_notify: draft.notifies,
    webhook_url: draft.webhookUrl,
    webhook_method: draft.webhookMethod,
    webhook_headers: draft.webhookHeaders,
    webhook_template: draft.webhookTemplate,
    webhook_template_body: draft.webhookBody,
    webhook_enabled: draft.webhookEnabled,
    webhook_secret: draft.secret,
    clear_secret: draft.clearsSecret,
    notify_job_watch: draft.tellsOfWatchedJobs,
  };
}

import type { AlertRuleFields, InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, hasRole, tagColor, type Actor, type AlertRuleDefinition, type WebhookTemplate } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';
import type { TransactionPorts } from '../ports/transaction.ts';
import { secretPlace } from './alert-rule-repository.ts';
import { editableAlertRule } from './found-alert-rule.ts';
import { presentAlertRule } from './present-alert-rule.ts';
import {
  validateAlertRule,
  type AlertRuleDraft,
  type AlertRuleFacts,
  type AlertRuleProblem,
  type ValidatedAlertRule,
} from './validate-alert-rule.ts';

export type SaveRulePorts = Pick<Ports, 'clock' | 'deployment' | 'outbound' | 'secretBox' | 'transaction'>;

/** What a new rule says where its request says nothing. */
const blank: AlertRuleDefinition = {
  name: '',
  description: '',
  scope: 'entity',
  query: '',
  entityTypes: [],
  actionTags: [],
  notifies: true,
  webhook: { url: null, method: 'POST', headers: {}, enabled: true, template: null },
  tellsOfWatchedJobs: false,
};

/** Makes a rule of the caller's, or for administrators a shared one; throws `invalid_rule` with all reasons against it. */
export async function createAlertRule(
  ports: SaveRulePorts,
  actor: Actor,
  input: InputOf<typeof operations.createAlertRule>,
): Promise<OutputOf<typeof operations.createAlertRule>> {
  const { userId } = signedIn(actor);
  const isShared = input.is_shared;
  if (isShared && !hasRole(actor, 'admin')) throw new AppError('forbidden', 'Shared rules are for administrators');
  const key = isShared ? (input.key?.trim() ?? '') : null;
  return ports.transaction(async (tx) => {
    const most = ports.deployment.alertRulesPerAccount;
    const exceeds = !isShared && (await tx.alertRules.countOwn(userId)) >= most ? most : null;
    const draft = draftOf(blank, input, { key, isShared });
    const { definition, warnings } = valid(draft, { ...(await factsOf(ports, tx)), exceeds });
    const at = ports.clock.now();
    const ownerId = isShared ? null : userId;
    const id = await tx.alertRules.insert({ definition, ownerId, key, enabled: input.enabled ?? true, by: userId, at });
    await registerTags(tx, definition, userId, at);
    return saved(ports, tx, { actor, id, input, warnings });
  });
}

/** Changes of a rule what the request says, which is an edit of a shipped one. */
export async function changeAlertRule(
  ports: SaveRulePorts,
  actor: Actor,
  input: InputOf<typeof operations.changeAlertRule>,
): Promise<OutputOf<typeof operations.changeAlertRule>> {
  const { userId } = signedIn(actor);
  return ports.transaction(async (tx) => {
    const { id, ...rule } = await editableAlertRule(tx.alertRules, actor, input.id);
    const draft = draftOf(rule, input, { key: rule.key, isShared: rule.ownerId === null });
    const { definition, warnings } = valid(draft, await factsOf(ports, tx));
    const at = ports.clock.now();
    await tx.alertRules.change(id, { definition, seedHash: null, by: userId, at });
    if (input.enabled !== undefined) await tx.alertRules.switch(id, input.enabled);
    await registerTags(tx, definition, userId, at);
    return saved(ports, tx, { actor, id, input, warnings });
  });
}

/** What the validator has to know of the site. */
export async function factsOf(
  { outbound }: Pick<Ports, 'outbound'>,
  { ruleLists }: Pick<Ports, 'ruleLists'>,
): Promise<AlertRuleFacts> {
  return {
    lists: new Set((await ruleLists.sizes()).map(({ name }) => name)),
    checkUrl: (url) => outbound.check('webhook', url),
  };
}

/** Puts the tags that a rule gives into the vocabulary; those that are there keep their colours (service 2.9). */
export async function registerTags(
  { tags }: Pick<TransactionPorts, 'tags'>,
  { actionTags }: Pick<AlertRuleDefinition, 'actionTags'>,
  by: string | null,
  at: Date,
): Promise<void> {
  if (actionTags.length === 0) return;
  const wanted = actionTags.map(({ name, color }) => ({ name, color: tagColor(color) }));
  await tags.create(wanted, { description: null, by, at });
}

/** Throws `invalid_rule` with all that is wrong. */
export function valid(draft: AlertRuleDraft, facts: AlertRuleFacts): ValidatedAlertRule {
  const validated = validateAlertRule(draft, facts);
  if (validated.problems.length > 0) throw invalidRule(validated.problems);
  return validated;
}

export function invalidRule(problems: readonly AlertRuleProblem[]): AppError {
  const detail = problems.map(({ message }) => message).join('; ');
  return new AppError('invalid_rule', detail, { reasons: problems });
}

/** A definition with what a request says in its place. */
function draftOf(
  before: AlertRuleDefinition,
  input: AlertRuleFields,
  kind: Pick<AlertRuleDraft, 'key' | 'isShared'>,
): AlertRuleDraft {
  const { webhook } = before;
  return {
    ...kind,
    name: input.name ?? before.name,
    description: input.description ?? before.description,
    scope: input.scope ?? before.scope,
    query: input.query ?? before.query,
    entityTypes: input.entity_types ?? before.entityTypes,
    actionTags: input.action_tags ?? before.actionTags,
    notifies: input.action_notify ?? before.notifies,
    webhook: {
      url: input.webhook_url === undefined ? webhook.url : input.webhook_url,
      method: input.webhook_method ?? webhook.method,
      headers: input.webhook_headers ?? webhook.headers,
      template: input.webhook_template === undefined ? (webhook.template ?? null) : templateOf(input),
      // A rule that gets an address tells it of matches, unless the request says otherwise.
      enabled: input.webhook_enabled ?? (webhook.enabled || (webhook.url === null && (input.webhook_url ?? '') !== '')),
    },
    tellsOfWatchedJobs: input.notify_job_watch ?? before.tellsOfWatchedJobs,
  };
}

/** The template that a request names; null where it names none, or the product's own body. */
function templateOf({ webhook_template: kind, webhook_template_body: body }: AlertRuleFields): WebhookTemplate | null {
  if (kind === undefined || kind === 'svc') return null;
  return kind === 'custom' ? { kind, body: body ?? '' } : { kind };
}

interface Saved {
  readonly actor: Actor;
  readonly id: number;
  readonly input: AlertRuleFields;
  readonly warnings: ValidatedAlertRule['warnings'];
}

async function saved(
  { secretBox }: Pick<Ports, 'secretBox'>,
  { alertRules }: TransactionPorts,
  { actor, id, input, warnings }: Saved,
): Promise<OutputOf<typeof operations.changeAlertRule>> {
  const { webhook_secret: secret, clear_secret: isCleared } = input;
  if (secret !== '') await alertRules.keepSecret(id, await secretBox.seal(secret, secretPlace(id)));
  else if (isCleared) await alertRules.keepSecret(id, null);
  return { rule: presentAlertRule((await alertRules.get(id))!, actor), warnings: [...warnings] };
}

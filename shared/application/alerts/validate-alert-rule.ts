import {
  alertRuleLimits,
  entityTypes,
  tagColor,
  tagLimits,
  tagName,
  type ActionTag,
  type AlertRuleDefinition,
  type AlertRuleScope,
  type EntityType,
} from '@svc/domain';
import { checkWebhook, type WebhookDraft, type WebhookProblem } from './check-webhook.ts';
import { conditionProblems, searchOf, type ConditionProblem } from './rule-condition.ts';

/** A rule as a form, a document or a shipped file says it, before it was looked at. */
export interface AlertRuleDraft {
  readonly name: string;
  readonly description: string;
  /** Of a shared rule; null of one of a user. */
  readonly key: string | null;
  readonly isShared: boolean;
  /** `entity` or `job`, or as they are shown. */
  readonly scope: string;
  readonly query: string;
  readonly entityTypes: readonly string[];
  readonly actionTags: readonly { readonly name: string; readonly color: string }[];
  readonly notifies: boolean;
  readonly webhook: WebhookDraft;
  readonly tellsOfWatchedJobs: boolean;
}

/** What the validator has to know beside the rule. */
export interface AlertRuleFacts {
  /** Names that `list:` can have. */
  readonly lists: ReadonlySet<string>;
  /** Throws the error of an address that webhooks may not have, as `outbound.check` does. */
  readonly checkUrl: (url: string) => void;
  /** The most rules that its owner can have, where this one is more than that. @default null */
  readonly exceeds?: number | null;
}

/** A reason why a rule is refused; with the place in its condition where it is one of that. */
export interface AlertRuleProblem {
  readonly code:
    | 'name_required'
    | 'name_too_long'
    | 'description_too_long'
    | 'key_invalid'
    | 'scope_invalid'
    | 'entity_type_unknown'
    | 'query_too_long'
    | 'tag_invalid'
    | 'tags_too_many'
    | 'rule_limit'
    | ConditionProblem['code']
    | WebhookProblem['code'];
  readonly message: string;
  readonly start?: number;
  readonly end?: number;
}

export type AlertRuleWarning = 'matches_everything';

export interface ValidatedAlertRule {
  /** All reasons against it, in the order of resolved-intel 10.2. */
  readonly problems: readonly AlertRuleProblem[];
  readonly warnings: readonly AlertRuleWarning[];
  /** As it is kept, if there is no problem. */
  readonly definition: AlertRuleDefinition;
}

const scopesBySpelling: Readonly<Record<string, AlertRuleScope>> = {
  entity: 'entity',
  entities: 'entity',
  job: 'job',
  jobs: 'job',
};
const isKey = new RegExp(`^[a-z0-9_]{1,${alertRuleLimits.key}}$`);

/** Looks at a rule once, for the form, for documents and for what is shipped (resolved-intel 10.2). */
export function validateAlertRule(draft: AlertRuleDraft, facts: AlertRuleFacts): ValidatedAlertRule {
  const scope = scopesBySpelling[draft.scope.trim().toLowerCase()];
  const { exceeds = null } = facts;
  const types = scope === 'job' ? [] : [...new Set(draft.entityTypes.map((type) => type.trim().toLowerCase()))];
  const tags = readTags(draft.actionTags);
  const { webhook, problems: webhookProblems } = checkWebhook(draft.webhook, facts.checkUrl);
  const definition: AlertRuleDefinition = {
    name: draft.name.trim(),
    description: draft.description.trim(),
    scope: scope ?? 'entity',
    query: draft.query.trim(),
    entityTypes: types.filter(isEntityType),
    actionTags: tags.filter(({ name }) => name !== ''),
    notifies: draft.notifies,
    webhook,
    tellsOfWatchedJobs: draft.tellsOfWatchedJobs,
  };
  const problems: AlertRuleProblem[] = [
    ...textProblems(draft, definition),
    ...(scope === undefined ? [problem('scope_invalid', `“${draft.scope}” is neither entity nor job`)] : []),
    ...types
      .filter((type) => !isEntityType(type))
      .map((type) => problem('entity_type_unknown', `There is no type of entity “${type}”`)),
    ...queryProblems(scope, draft.query, facts.lists),
    ...tagProblems(tags),
    ...webhookProblems,
    ...(draft.tellsOfWatchedJobs && (draft.webhook.url?.trim() ?? '') === ''
      ? [problem('webhook_url_invalid', 'To tell of watched jobs, a rule needs the address of a webhook')]
      : []),
    ...(exceeds === null
      ? []
      : [problem('rule_limit', `You have ${exceeds} rules, which is the most; delete one of them first`)]),
  ];
  const matchesAll = problems.length === 0 && searchOf(definition.query).trim() === '';
  return { problems, warnings: matchesAll ? ['matches_everything'] : [], definition };
}

function textProblems(
  { key, isShared }: AlertRuleDraft,
  { name, description }: AlertRuleDefinition,
): AlertRuleProblem[] {
  const most = alertRuleLimits;
  return [
    ...(name === '' ? [problem('name_required', 'The rule needs a name')] : []),
    ...(lengthOf(name) > most.name ? [problem('name_too_long', `The name has more than ${most.name} characters`)] : []),
    ...(lengthOf(description) > most.description
      ? [problem('description_too_long', `The description has more than ${most.description} characters`)]
      : []),
    ...(isShared && !isKey.test(key ?? '')
      ? [problem('key_invalid', `The key of a shared rule has 1 to ${most.key} of a-z, 0-9 and _`)]
      : []),
  ];
}

function queryProblems(
  scope: AlertRuleScope | undefined,
  query: string,
  lists: ReadonlySet<string>,
): readonly AlertRuleProblem[] {
  const most = alertRuleLimits.query;
  if (lengthOf(query.trim()) > most)
    return [problem('query_too_long', `The condition has more than ${most} characters`)];
  return scope === undefined ? [] : conditionProblems(scope, query, lists);
}

function readTags(sent: AlertRuleDraft['actionTags']): ActionTag[] {
  const tags = new Map<string, ActionTag>();
  for (const { name: text, color } of sent) {
    // What could not be a name stays as none, and is told.
    const name = text.includes(',') || lengthOf(text.trim()) > tagLimits.length ? '' : tagName(text);
    if (!tags.has(name)) tags.set(name, { name, color: tagColor(color) });
  }
  return [...tags.values()];
}

function tagProblems(tags: readonly ActionTag[]): AlertRuleProblem[] {
  return [
    ...(tags.some(({ name }) => name === '')
      ? [problem('tag_invalid', `Tags have names of 1 to ${tagLimits.length} characters, without commas`)]
      : []),
    ...(tags.length > alertRuleLimits.tags
      ? [problem('tags_too_many', `A rule gives at most ${alertRuleLimits.tags} tags`)]
      : []),
  ];
}

function problem(code: AlertRuleProblem['code'], message: string): AlertRuleProblem {
  return { code, message };
}

/** In characters as the database counts them. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

function isEntityType(type: string): type is EntityType {
  return entityTypes.some((known) => known === type);
}

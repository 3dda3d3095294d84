import { hasRole, type Actor, type AlertRule, type RuleList } from '@svc/domain';
import { writeDocument } from '@svc/engine';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';

/** The caller's own rules as a document, for administrators after all lists and shared rules (resolved-intel 13.3). */
export async function exportAlertRules(
  { alertRules, ruleLists }: Pick<Ports, 'alertRules' | 'ruleLists'>,
  actor: Actor,
): Promise<Uint8Array> {
  const { userId } = signedIn(actor);
  const isAdmin = hasRole(actor, 'admin');
  const readable = await alertRules.readable({ userId, isAdmin: false });
  const shared = isAdmin ? readable.filter(({ ownerId }) => ownerId === null) : [];
  const own = readable.filter(({ ownerId }) => ownerId === userId);
  const lists = isAdmin ? await ruleLists.all() : [];
  const document = {
    ...(lists.length > 0 && { lists: lists.map(listEntry) }),
    rules: [...shared, ...own].map(ruleEntry),
  };
  return new TextEncoder().encode(writeDocument(document));
}

/** Not its source, which is nobody else's. */
function listEntry({ name, match, description, values }: RuleList) {
  return { name, match, ...(description !== '' && { description }), values: [...values] };
}

/** Neither its owner nor its secret, nor what became of it. */
function ruleEntry(rule: AlertRule) {
  const { url, method, headers, enabled, template = null } = rule.webhook;
  return {
    ...(rule.key !== null && { key: rule.key }),
    name: rule.name,
    ...(rule.description !== '' && { description: rule.description }),
    scope: rule.scope,
    ...(rule.entityTypes.length > 0 && { entity_types: [...rule.entityTypes] }),
    criteria: rule.query,
    ...(rule.actionTags.length > 0 && { tags: rule.actionTags.map(({ name, color }) => ({ name, color })) }),
    notify: rule.notifies,
    enabled: rule.enabled,
    ...(url !== null && {
      webhook: {
        url,
        method,
        ...(Object.keys(headers).length > 0 && { headers: { ...headers } }),
        ...(template !== null && { template: template.kind }),
        ...(template?.kind === 'custom' && { body: template.body }),
        enabled,
      },
    }),
  };
}

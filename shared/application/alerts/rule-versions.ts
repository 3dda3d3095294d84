import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, publicName, tagColor, type Actor, type AlertRuleDefinition } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';
import { editableAlertRule } from './found-alert-rule.ts';
import { presentAlertRule, presentWebhook } from './present-alert-rule.ts';
import { factsOf, registerTags, valid } from './save-alert-rule.ts';

/** What a rule said before, for those who may edit it; the newest first (resolved-intel 24). */
export async function listAlertRuleVersions(
  { alertRules }: Pick<Ports, 'alertRules'>,
  actor: Actor,
  { id }: InputOf<typeof operations.listAlertRuleVersions>,
): Promise<OutputOf<typeof operations.listAlertRuleVersions>> {
  await editableAlertRule(alertRules, actor, id);
  const versions = await alertRules.versions(id);
  return {
    versions: versions.map(({ version, definition, changedBy, changedAt }) => ({
      version,
      changed_at: changedAt.toISOString(),
      changed_by: changedBy && publicName(changedBy),
      says: says(definition),
    })),
  };
}

/** Has a rule say again what it said before, which is one more version of it. The secret of its webhook stays. */
export async function restoreAlertRule(
  ports: Pick<Ports, 'clock' | 'outbound' | 'transaction'>,
  actor: Actor,
  { id, version: wanted }: InputOf<typeof operations.restoreAlertRule>,
): Promise<OutputOf<typeof operations.restoreAlertRule>> {
  const { userId } = signedIn(actor);
  return ports.transaction(async (tx) => {
    const rule = await editableAlertRule(tx.alertRules, actor, id);
    const version = (await tx.alertRules.versions(id)).find((one) => one.version === wanted);
    if (version === undefined) throw notFound('version');
    // What it asks for may be gone: a list, or an address that was allowed then.
    const draft = { ...version.definition, key: rule.key, isShared: rule.ownerId === null };
    const { definition, warnings } = valid(draft, await factsOf(ports, tx));
    const at = ports.clock.now();
    await tx.alertRules.change(id, { definition, seedHash: null, by: userId, at });
    await registerTags(tx, definition, userId, at);
    return { rule: presentAlertRule((await tx.alertRules.get(id))!, actor), warnings: [...warnings] };
  });
}

function says({ webhook, ...definition }: AlertRuleDefinition) {
  return {
    name: definition.name,
    description: definition.description,
    scope: definition.scope,
    query: definition.query,
    entity_types: [...definition.entityTypes],
    action_tags: definition.actionTags.map(({ name, color }) => ({ name, color: tagColor(color) })),
    action_notify: definition.notifies,
    ...presentWebhook(webhook),
    webhook_enabled: webhook.enabled,
    notify_job_watch: definition.tellsOfWatchedJobs,
  };
}

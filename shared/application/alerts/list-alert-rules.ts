import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { hasRole, type Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';
import { checkWebhookReceivers } from './check-webhook-receivers.ts';
import { readableAlertRule } from './found-alert-rule.ts';
import { presentAlertRule } from './present-alert-rule.ts';

/** Rules that the caller may read (resolved-intel 10.3). */
export async function listAlertRules(
  { alertRules, deployment, ruleLists }: Pick<Ports, 'alertRules' | 'deployment' | 'ruleLists'>,
  actor: Actor,
): Promise<OutputOf<typeof operations.listAlertRules>> {
  const { userId } = signedIn(actor);
  const isAdmin = hasRole(actor, 'admin');
  const found = await alertRules.readable({ userId, isAdmin });
  const rules = found.map((rule) => presentAlertRule(rule, actor));
  const mine = rules.filter(({ owner_user_id: owner }) => owner === userId);
  return {
    mine: mine.toReversed(),
    shared: rules.filter((rule) => rule.is_shared),
    others: rules.filter(({ owner_user_id: owner }) => owner !== null && owner !== userId).toReversed(),
    list_names: (await ruleLists.sizes()).map(({ name }) => name),
    rule_cap: deployment.alertRulesPerAccount,
    own_count: mine.length,
    readiness: isAdmin ? [checkWebhookReceivers({ deployment })] : [],
  };
}

export async function getAlertRule(
  { alertRules }: Pick<Ports, 'alertRules'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getAlertRule>,
): Promise<OutputOf<typeof operations.getAlertRule>> {
  return presentAlertRule(await readableAlertRule(alertRules, actor, id), actor);
}

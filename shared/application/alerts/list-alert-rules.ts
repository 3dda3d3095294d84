import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { hasRole, type Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import { listWatchedJobs } from '../discussions/list-watched-jobs.ts';
import type { Ports } from '../ports/ports.ts';
import { checkWebhookReceivers } from './check-webhook-receivers.ts';
import { readableAlertRule } from './found-alert-rule.ts';
import { listAlerts } from './list-alerts.ts';
import { listRuleLists } from './list-rule-lists.ts';
import { listWebhookDeliveries } from './list-webhook-deliveries.ts';
import { presentAlertRule } from './present-alert-rule.ts';

type ListingPorts = Pick<
  Ports,
  | 'alertRules'
  | 'deployment'
  | 'entityAlerts'
  | 'jobAlerts'
  | 'jobViews'
  | 'ruleLists'
  | 'settings'
  | 'watches'
  | 'webhookDeliveryLists'
>;

/** Rules that the caller may read, and what goes with them (resolved-intel 10.3). */
export async function listAlertRules(
  ports: ListingPorts,
  actor: Actor,
): Promise<OutputOf<typeof operations.listAlertRules>> {
  const { userId } = signedIn(actor);
  const isAdmin = hasRole(actor, 'admin');
  const found = await ports.alertRules.readable({ userId, isAdmin });
  const rules = found.map((rule) => presentAlertRule(rule, actor));
  const mine = rules.filter(({ owner_user_id: owner }) => owner === userId);
  return {
    mine: mine.toReversed(),
    shared: rules.filter((rule) => rule.is_shared),
    others: rules.filter(({ owner_user_id: owner }) => owner !== null && owner !== userId).toReversed(),
    lists: (await listRuleLists(ports, actor)).lists,
    alerts: await listAlerts(ports, actor, { all: false, everybody: false }),
    deliveries: (await listWebhookDeliveries(ports, actor, { rule_id: null })).deliveries,
    watched_jobs: (await listWatchedJobs(ports, actor)).jobs,
    rule_cap: ports.deployment.alertRulesPerAccount,
    own_count: mine.length,
    shared_enabled: (await ports.settings.current()).builtinRulesEnabled,
    readiness: isAdmin ? [checkWebhookReceivers(ports)] : [],
  };
}

export async function getAlertRule(
  { alertRules }: Pick<Ports, 'alertRules'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getAlertRule>,
): Promise<OutputOf<typeof operations.getAlertRule>> {
  return presentAlertRule(await readableAlertRule(alertRules, actor, id), actor);
}

import { hasRole, notFound, type Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { AlertRuleRepository, OwnedAlertRule } from './alert-rule-repository.ts';
import { mayEdit } from './present-alert-rule.ts';

type Rules = Pick<AlertRuleRepository, 'get'>;

/** A rule that the caller may read; throws `not_found`, also for one of somebody else. */
export async function readableAlertRule(rules: Rules, actor: Actor, id: number): Promise<OwnedAlertRule> {
  const rule = await rules.get(id);
  const { userId } = signedIn(actor);
  const isReadable = rule !== null && (rule.ownerId === null || rule.ownerId === userId || hasRole(actor, 'admin'));
  if (!isReadable) throw notFound('rule');
  return rule;
}

/** A rule that the caller may change; what they may only read is not there for this (resolved-intel 10.1). */
export async function editableAlertRule(rules: Rules, actor: Actor, id: number): Promise<OwnedAlertRule> {
  const rule = await readableAlertRule(rules, actor, id);
  if (!mayEdit(rule, actor)) throw notFound('rule');
  return rule;
}

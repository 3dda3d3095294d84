import type { AlertReason, InputOf, operations } from '@svc/contracts';
import { notFound, parseEntitySearch, parseSearch, type Actor } from '@svc/domain';
import { planSearch } from '../jobs/plan-search.ts';
import type { Ports } from '../ports/ports.ts';
import type { Alert } from './alert-repository.ts';
import { searchOf } from './rule-condition.ts';

const findings = 20;

/** Which terms of the rule hold for the entity by now, and the findings of the job whose matched events name it. */
export async function explainAlert(
  {
    clock,
    entityAlerts,
    entityLinks,
    transaction,
  }: Pick<Ports, 'clock' | 'entityAlerts' | 'entityLinks' | 'transaction'>,
  actor: Actor,
  { id }: InputOf<typeof operations.explainAlert>,
): Promise<AlertReason> {
  const alert = await entityAlerts.get(actor, id);
  if (!alert?.entity) throw notFound('alert');
  const { id: entityId } = alert.entity;
  const { terms } = parseEntitySearch(searchOf(alert.rule.query));
  const questions = terms.map((term) => ({
    viewer: actor,
    root: { kind: 'term', term } as const,
    types: [],
    entityId: null,
    limit: 1,
  }));
  const one = { after: entityId - 1, upTo: entityId };
  const held = await transaction((tx) => tx.ruleMatches.entities(one, questions, clock.now()));
  const found = await entityLinks.findings(actor, [entityId], { page: 1, per: findings, job: alert.jobId });
  return {
    terms: terms.map(({ text, condition }, place) => {
      const matched = held[place] ?? [];
      return { text, holds: condition === null || matched instanceof Error ? null : matched.length > 0 };
    }),
    is_edited: isEdited(alert),
    findings: found.findings.map(({ id: finding, ruleName, severity, count }) => ({
      id: finding,
      rule_name: ruleName,
      severity,
      count,
    })),
  };
}

/** Which terms of the rule hold for the job by now. */
export async function explainJobAlert(
  { clock, jobAlerts, transaction }: Pick<Ports, 'clock' | 'jobAlerts' | 'transaction'>,
  actor: Actor,
  { id }: InputOf<typeof operations.explainJobAlert>,
): Promise<AlertReason> {
  const alert = await jobAlerts.get(actor, id);
  if (alert === null) throw notFound('alert');
  const { terms } = parseSearch(searchOf(alert.rule.query));
  const shown = await transaction(async (tx) => {
    const told: AlertReason['terms'] = [];
    for (const { text } of terms) {
      const { search } = planSearch(actor, { q: text, tags: [] }, clock.now());
      const holds = await tx.ruleMatches.job(alert.jobId, actor, search);
      told.push({ text, holds: holds instanceof Error ? null : holds });
    }
    return told;
  });
  return { terms: shown, is_edited: isEdited(alert), findings: [] };
}

function isEdited({ at, rule }: Alert): boolean {
  return rule.updatedAt > at;
}

import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, parseEntitySearch, type Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';
import { editableAlertRule } from './found-alert-rule.ts';
import { presentAlertRule } from './present-alert-rule.ts';
import { searchOf } from './rule-condition.ts';
import { factsOf, valid } from './save-alert-rule.ts';

/** Makes a list of the one set of a condition, which asks for the list from then on; all or nothing. */
export async function promoteSet(
  ports: Pick<Ports, 'clock' | 'outbound' | 'transaction'>,
  actor: Actor,
  { id, name, description }: InputOf<typeof operations.promoteSet>,
): Promise<OutputOf<typeof operations.promoteSet>> {
  const { userId } = signedIn(actor);
  return ports.transaction(async (tx) => {
    const rule = await editableAlertRule(tx.alertRules, actor, id);
    const terms = rule.scope === 'entity' ? parseEntitySearch(searchOf(rule.query)).terms : [];
    const [set, ...more] = terms.filter(({ key }) => key === 'in');
    if (set?.condition?.key !== 'in' || more.length > 0)
      throw new AppError('bad_request', 'The condition must have exactly one set of values, in:(…)');
    const at = ports.clock.now();
    const { values } = set.condition;
    const list = { name, match: 'exact' as const, description, values, sourceUrl: null, refreshHours: 0 };
    if ((await tx.ruleLists.add(list, at)) === null)
      throw new AppError('conflict', `There is a list “${name}” already`);
    const asked = `${set.negated ? '-' : ''}list:${name}`;
    const query = rule.query.slice(0, set.start) + asked + rule.query.slice(set.end);
    const draft = { ...rule, query, isShared: rule.ownerId === null };
    const { definition, warnings } = valid(draft, await factsOf(ports, tx));
    await tx.alertRules.change(id, { definition, seedHash: null, by: userId, at });
    return { rule: presentAlertRule((await tx.alertRules.get(id))!, actor), warnings: [...warnings] };
  });
}

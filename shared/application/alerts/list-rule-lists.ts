import type { InputOf, operations, OutputOf, RuleList as RuleListView } from '@svc/contracts';
import { ruleListLimits, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { presentRuleList } from './present-rule-list.ts';

/** All lists, with the first of their values. */
export async function listRuleLists(
  { ruleLists }: Pick<Ports, 'ruleLists'>,
  actor: Actor,
): Promise<OutputOf<typeof operations.listRuleLists>> {
  const users = await ruleLists.users();
  const lists = (await ruleLists.all()).map((list) => presentRuleList(list, actor, users));
  return { lists: lists.map((list) => ({ ...list, values: list.values.slice(0, ruleListLimits.shown) })) };
}

export async function getRuleList(
  { ruleLists }: Pick<Ports, 'ruleLists'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getRuleList>,
): Promise<RuleListView> {
  return presentRuleList(await ruleLists.get(id), actor, await ruleLists.users());
}

import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** Source of the rule behind a finding. */
export async function getFindingRule(
  { findings }: Pick<Ports, 'findings'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getFindingRule>,
): Promise<OutputOf<typeof operations.getFindingRule>> {
  const finding = await findings.get(actor, id);
  if (!finding) throw notFound('finding');
  const content = await findings.ruleSource(id);
  if (content === null) throw new AppError('no_rule', 'The source of this rule is not known');
  return { rule_name: finding.ruleName, language: 'yaml', content, author: finding.ruleAuthor };
}

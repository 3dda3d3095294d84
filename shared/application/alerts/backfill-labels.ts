import type { Ports } from '../ports/ports.ts';
import { tagMatchedEntities } from './give-rule-tags.ts';
import { matchEntities } from './match-entities.ts';

/**
 * Gives entities the tags of the rules of the site that are switched on, as if their jobs ended now; nothing is told of
 * it. The last of the entities; null where there are no more.
 */
export function tagEntitiesAfter(
  { clock, log, transaction }: Pick<Ports, 'clock' | 'log' | 'transaction'>,
  after: number,
  limit: number,
): Promise<number | null> {
  return transaction(async (tx) => {
    const upTo = await tx.ruleMatches.endOf(after, limit);
    if (upTo === null) return null;
    const now = clock.now();
    const { builtinRulesEnabled } = await tx.settings.current();
    const which = { scope: 'entity', types: null, shared: 'only', limit: 1000 } as const;
    const rules = builtinRulesEnabled ? await tx.rulePasses.inForce(which) : [];
    const asked = { after, upTo };
    const entities = await tx.ruleMatches.entities(asked);
    const answers = await matchEntities(tx, { asked, entities, now }, { rules, mostOf: () => limit });
    for (const { rule, error } of answers)
      if (error !== null) log.warn('a rule could not be run', { rule_id: rule.id, error });
    const given = answers.map(({ rule, entityIds }) => ({ tags: rule.actionTags, entityIds }));
    await tagMatchedEntities(tx, given, now);
    return upTo;
  });
}

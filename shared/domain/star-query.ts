import type { AlertRuleDefinition } from './alert-rule.ts';
import { alertRuleLimits } from './alert-rule.ts';
import type { EntityType } from './entity.ts';
import { parseEntitySearch } from './entity-search/parse-entity-search.ts';

interface Starred {
  readonly type: EntityType;
  readonly value: string;
}

/** The condition that a star gives its rule: the value in quotes, as one term that is no other (resolved-intel 3.1). */
export function starQuery(value: string): string {
  // No quote can stand in quotes; ends of lines are blanks in a condition.
  const plain = value.replaceAll('"', '*').replace(/[\r\n\t]/g, ' ');
  const { terms, problems } = parseEntitySearch(quoted(plain));
  const isPlain = problems.length === 0 && terms.length === 1 && !terms[0]!.negated && terms[0]!.key === null;
  return isPlain ? quoted(plain) : quoted(`*${plain}`);
}

/**
 * Whether a rule that a star made still says what the star did. It then matches this entity and no other, though its
 * condition is that of all whose values contain this one.
 */
export function isUneditedStar(
  rule: Pick<AlertRuleDefinition, 'scope' | 'query' | 'entityTypes'>,
  entity: Starred,
): boolean {
  const { scope, query, entityTypes } = rule;
  return scope === 'entity' && query === starQuery(entity.value) && entityTypes.join() === entity.type;
}

function quoted(text: string): string {
  return `"${firstOf(text, alertRuleLimits.query - 2)}"`;
}

/** Whole characters, at most so many. */
function firstOf(text: string, most: number): string {
  return Array.from(text.replace(/[\p{Surrogate}\0]/gu, '\uFFFD'))
    .slice(0, most)
    .join('');
}

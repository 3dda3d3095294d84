import {
  isUneditedStar,
  parseEntitySearch,
  type Actor,
  type EntityCondition,
  type EntitySearchNode,
} from '@svc/domain';
import { matchEach, type EntitiesAtHand } from './entity-matcher.ts';
import { searchOf } from './rule-condition.ts';
import type { RuleInForce } from './rule-passes.ts';

/** What everybody sees, for rules that are nobody's: what they give is for everybody. */
export const everybody: Actor = { kind: 'anonymous', ip: '' };

export function ownerOf({ ownerId, owner }: RuleInForce): Actor {
  if (ownerId === null || owner === null) return everybody;
  return { kind: 'account', userId: ownerId, email: owner.email, role: owner.role, ip: '' };
}

export interface RuleAnswer {
  readonly rule: RuleInForce;
  /** What it matches, as many as it may; none where it could not be run. */
  readonly entityIds: readonly number[];
  /** It matches more. */
  readonly isTruncated: boolean;
  readonly error: Error | null;
}

/**
 * What rules match of entities, one after the other: each sees the tags that those before it give.
 * @param which.mostOf - how many a rule may match, those of the lowest ids
 */
export async function matchEntities(
  ports: Parameters<typeof matchEach>[0],
  atHand: EntitiesAtHand,
  { rules, mostOf }: { readonly rules: readonly RuleInForce[]; readonly mostOf: (rule: RuleInForce) => number },
): Promise<RuleAnswer[]> {
  const questions = rules.map((rule) => ({ viewer: ownerOf(rule), root: rootOf(rule), types: rule.entityTypes }));
  const matcher = await matchEach(ports, atHand, questions);
  return rules.map((rule, place) => {
    // One more, which tells that there are more.
    const matched = matcher.meeting(questions[place]!, mostOf(rule) + 1);
    if (matched instanceof Error) return { rule, entityIds: [], isTruncated: false, error: matched };
    const entityIds = matched.slice(0, mostOf(rule));
    for (const { name } of rule.actionTags) matcher.tag(name, entityIds);
    return { rule, entityIds, isTruncated: matched.length > entityIds.length, error: null };
  });
}

/** What a rule asks; that of a star, until somebody has edited its condition, for the one entity (resolved-intel 3.1). */
function rootOf(rule: RuleInForce): EntitySearchNode | null {
  const isFollowed = rule.starred !== null && isUneditedStar(rule, rule.starred);
  if (isFollowed && rule.autoEntityId !== null) return asTerm({ key: 'id', values: [rule.autoEntityId] });
  const { root, isRefused } = parseEntitySearch(searchOf(rule.query));
  // A condition that can no longer be read holds for nothing.
  return isRefused ? asTerm(null) : root;
}

function asTerm(condition: EntityCondition | null): EntitySearchNode {
  return { kind: 'term', term: { start: 0, end: 0, text: '', negated: false, key: null, condition } };
}

import { isUneditedStar, parseEntitySearch, type Actor, type EntitySearchNode } from '@svc/domain';
import type { TransactionPorts } from '../ports/transaction.ts';
import { searchOf } from './rule-condition.ts';
import type { AskedEntities, EntityQuestion, Matched } from './rule-matches.ts';
import type { RuleInForce } from './rule-passes.ts';

/** What everybody sees, for rules that are nobody's: what they give is for everybody. */
export const everybody: Actor = { kind: 'anonymous', ip: '' };

export function ownerOf({ ownerId, owner }: RuleInForce): Actor {
  if (ownerId === null || owner === null) return everybody;
  return { kind: 'account', userId: ownerId, email: owner.email, role: owner.role, ip: '' };
}

/** A rule with its condition as it was read. */
interface ReadRule {
  readonly rule: RuleInForce;
  readonly root: EntitySearchNode | null;
  /** Tags that it asks for, by name or namespace. */
  readonly asked: readonly string[];
}

/**
 * Runs rules over entities in their order and hands on what each matches, as often as what was handed on may change what
 * later ones match: until then, they are asked together.
 * @param limitOf - how many a rule may match
 * @param record - does what the rules are for
 */
export async function matchEntities(
  { ruleMatches }: Pick<TransactionPorts, 'ruleMatches'>,
  asked: AskedEntities,
  how: {
    readonly rules: readonly RuleInForce[];
    readonly now: Date;
    readonly limitOf: (rule: RuleInForce) => number;
    readonly record: (found: readonly { readonly rule: RuleInForce; readonly matched: Matched }[]) => Promise<void>;
  },
): Promise<void> {
  for (const batch of batchesOf(how.rules.map(read))) {
    const questions = batch.map(({ rule, root }): EntityQuestion => ({
      viewer: ownerOf(rule),
      root,
      types: rule.entityTypes,
      entityId: followedBy(rule),
      limit: how.limitOf(rule),
    }));
    const matched = await ruleMatches.entities(asked, questions, how.now);
    await how.record(batch.map(({ rule }, place) => ({ rule, matched: matched[place] ?? [] })));
  }
}

/** The one entity that a star's rule is for, until somebody has edited its condition (resolved-intel 3.1). */
function followedBy(rule: RuleInForce): number | null {
  return rule.starred !== null && isUneditedStar(rule, rule.starred) ? rule.autoEntityId : null;
}

function read(rule: RuleInForce): ReadRule {
  const { root, terms, isRefused } = parseEntitySearch(searchOf(rule.query));
  const asked = terms.flatMap(({ condition }) =>
    condition?.key === 'tag' ? condition.values : condition?.key === 'label' ? condition.tags : [],
  );
  return { rule, root: isRefused ? nothing : root, asked };
}

/** A condition that can no longer be read holds for nothing. */
const nothing: EntitySearchNode = {
  kind: 'term',
  term: { start: 0, end: 0, text: '', negated: false, key: null, condition: null },
};

function batchesOf(rules: readonly ReadRule[]): ReadRule[][] {
  const batches: ReadRule[][] = [];
  let given = new Set<string>();
  for (const rule of rules) {
    const isNext = rule.asked.some((name) => [...given].some((tag) => isNamed(tag, name)));
    if (isNext || batches.length === 0) {
      batches.push([]);
      given = new Set();
    }
    batches.at(-1)!.push(rule);
    for (const { name } of rule.rule.actionTags) given.add(name);
  }
  return batches;
}

function isNamed(tag: string, asked: string): boolean {
  return asked.endsWith('/') ? tag.startsWith(asked) : tag === asked;
}

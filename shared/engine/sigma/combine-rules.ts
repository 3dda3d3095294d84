import type { Correlation, CorrelationInput } from '../correlation/correlation.ts';
import { severities, type Severity } from '../severity.ts';
import type { LogSource } from './log-source.ts';
import type { Rule } from './rule.ts';
import type { RuleSet } from './rule-set.ts';

/** Which rules of a set are to give findings; every list that is not empty narrows it. */
export interface RuleSelection {
  /** The least severe level. */
  readonly minLevel: Severity | null;
  readonly statuses: readonly string[];
  /** Stated parts must equal those of the rule. */
  readonly logSources: readonly LogSource[];
  /** Any of them; a technique stands for its sub-techniques too. */
  readonly tags: readonly string[];
  /** Ids: no others. */
  readonly include: readonly string[];
  /** Ids: not these. */
  readonly exclude: readonly string[];
}

/** What somebody has decided about one rule, whatever its author says. */
export interface RuleOverride {
  readonly enabled: boolean;
  /** Null for the author's. */
  readonly level: Severity | null;
}

/** A set of rules, and what was decided about some of them by their ids in lower case. */
export interface RulePart {
  readonly rules: RuleSet;
  readonly overrides: ReadonlyMap<string, RuleOverride>;
}

export const everyRule: RuleSelection = {
  minLevel: null,
  statuses: [],
  logSources: [],
  tags: [],
  include: [],
  exclude: [],
};

/**
 * One set of what is selected of several, in their order. What several have in the same words, at the same level,
 * is there once. What a selected correlation counts stays in the set even where it is not selected or switched off,
 * and then gives no findings of its own.
 */
export function combineRules(parts: readonly RulePart[], selection: RuleSelection = everyRule): RuleSet {
  const combined = {
    rules: [] as Rule[],
    correlations: [] as Correlation[],
    silent: { rules: [] as number[], correlations: [] as number[] },
  };
  const chosen = choice(selection);
  const isNew = remembering();
  for (const { rules: set, overrides } of parts) {
    const silent = { rules: new Set(set.silent.rules), correlations: new Set(set.silent.correlations) };
    const isHeard = {
      rule: set.rules.map(
        (rule, at) =>
          !silent.rules.has(at) && chosen.rule(rule, overrides) && isNew(rule, [rule], levelOf(rule, overrides)),
      ),
      correlation: set.correlations.map((one, at) => {
        const rules = rulesOf(set, one);
        const isChosen = !silent.correlations.has(at) && chosen.correlation(one, rules, overrides);
        return isChosen && isNew(one, rules, levelOf(one, overrides));
      }),
    };
    const isUsed = usedOf(set, isHeard);
    const placeOf = {
      rule: places(isUsed.rule, combined.rules.length),
      correlation: places(isUsed.correlation, combined.correlations.length),
    };
    for (const [at, rule] of set.rules.entries()) {
      if (!isUsed.rule[at]) continue;
      if (!isHeard.rule[at]) combined.silent.rules.push(combined.rules.length);
      combined.rules.push(leveled(rule, overrides));
    }
    for (const [at, correlation] of set.correlations.entries()) {
      if (!isUsed.correlation[at]) continue;
      if (!isHeard.correlation[at]) combined.silent.correlations.push(combined.correlations.length);
      const moved = (input: CorrelationInput) => ({ ...input, place: placeOf[input.kind][input.place]! });
      const level = levelOf(correlation, overrides);
      combined.correlations.push({ ...correlation, level, inputs: correlation.inputs.map(moved) });
    }
  }
  return combined;
}

/** Tells of each rule, and of each correlation with the rules that it counts, whether none like it came before. */
function remembering() {
  const known = new Map<string, readonly Rule[]>();
  return ({ source }: Rule | Correlation, rules: readonly Rule[], level: Severity): boolean => {
    const key = `${level}\n${source}`;
    const before = known.get(key);
    if (before === undefined) known.set(key, rules);
    return (
      before === undefined || before.length !== rules.length || !rules.every((one, at) => isLike(one, before[at]!))
    );
  };
}

/** Of the same words, and made the same of them: a Sigma filter may change one of them. */
function isLike(one: Rule, other: Rule): boolean {
  return one.source === other.source && JSON.stringify(one.expression) === JSON.stringify(other.expression);
}

interface Used {
  readonly rule: boolean[];
  readonly correlation: boolean[];
}

/** What is heard, and what that counts; inner correlations stand before those that refer to them. */
function usedOf({ correlations }: RuleSet, isHeard: Used): Used {
  const used = { rule: [...isHeard.rule], correlation: [...isHeard.correlation] };
  for (let at = correlations.length - 1; at >= 0; at--) {
    if (used.correlation[at]) for (const { kind, place } of correlations[at]!.inputs) used[kind][place] = true;
  }
  return used;
}

/** Where each of those that are used comes to stand. */
function places(isUsed: readonly boolean[], from: number): number[] {
  let next = from;
  return isUsed.map((used) => (used ? next++ : -1));
}

/** The rules that a correlation counts, also by way of others. */
function rulesOf(set: RuleSet, { inputs }: Correlation): Rule[] {
  return inputs.flatMap(({ kind, place }) =>
    kind === 'rule' ? set.rules[place]! : rulesOf(set, set.correlations[place]!),
  );
}

type Overrides = RulePart['overrides'];
type Headed = Pick<Rule, 'id' | 'level' | 'tags'>;

function choice(selection: RuleSelection) {
  const { minLevel, statuses, logSources } = selection;
  const [tags, include, exclude] = [selection.tags, selection.include, selection.exclude].map(
    (list) => new Set(list.map((one) => one.toLowerCase())),
  ) as [Set<string>, Set<string>, Set<string>];
  const lowest = minLevel === null ? severities.length : severities.indexOf(minLevel);
  const hasTag = (tag: string): boolean => tags.has(tag) || tags.has(tag.replace(/(\.t\d{4})\.\d{3}$/, '$1'));
  const byHead = (rule: Headed, overrides: Overrides): boolean => {
    const id = rule.id ?? '';
    if (overrides.get(id)?.enabled === false || exclude.has(id)) return false;
    if (include.size > 0 && !include.has(id)) return false;
    if (severities.indexOf(levelOf(rule, overrides)) > lowest) return false;
    return tags.size === 0 || rule.tags.some((tag) => hasTag(tag.toLowerCase()));
  };
  const byKind = ({ status, logSource }: Pick<Rule, 'status' | 'logSource'>): boolean =>
    (statuses.length === 0 || statuses.includes(status)) &&
    (logSources.length === 0 || logSources.some((wanted) => isWithin(logSource, wanted)));
  return {
    rule: (rule: Rule, overrides: Overrides) => byHead(rule, overrides) && byKind(rule),
    // A correlation is of the log sources and statuses of what it counts.
    correlation: (one: Correlation, rules: readonly Rule[], overrides: Overrides) =>
      byHead(one, overrides) && rules.every(byKind),
  };
}

function isWithin(source: LogSource, wanted: LogSource): boolean {
  return (['product', 'category', 'service'] as const).every(
    (key) => wanted[key] === undefined || wanted[key] === source[key],
  );
}

function levelOf({ id, level }: Pick<Rule, 'id' | 'level'>, overrides: Overrides): Severity {
  return overrides.get(id ?? '')?.level ?? level;
}

function leveled(rule: Rule, overrides: Overrides): Rule {
  const level = levelOf(rule, overrides);
  if (level === rule.level) return rule;
  // One by one, since a stored rule decodes itself when it is asked.
  const { id, name, title, status, tags, author, logSource, expression, path, source } = rule;
  return { id, name, title, level, status, tags, author, logSource, expression, path, source };
}

import { RuleError, type RuleProblem } from '../sigma/problem.ts';
import type { RuleSet } from '../sigma/rule-set.ts';
import type { Rule } from '../sigma/rule.ts';
import type { Correlation } from './correlation.ts';
import { expressionOf } from './windows.ts';

export interface ResolvedCorrelations {
  /** Inner ones before those that refer to them. */
  readonly correlations: readonly Correlation[];
  readonly rejected: readonly RuleProblem[];
  /** Those that give no findings of their own, because correlations use them up. */
  readonly silent: RuleSet['silent'];
}

/**
 * Orders correlations by what they refer to. One whose reference is missing, or that is part of a
 * cycle, is rejected with everything that refers to it (detection-engine 1.6).
 */
export function resolveCorrelations(
  rules: readonly Rule[],
  correlations: readonly { readonly correlation: Correlation; readonly line: number }[],
): ResolvedCorrelations {
  const known = new Map<string, Rule | Correlation>();
  for (const one of [...rules, ...correlations.map(({ correlation }) => correlation)]) {
    for (const name of [one.id, one.name?.toLowerCase()]) if (name && !known.has(name)) known.set(name, one);
  }
  const ordered: Correlation[] = [];
  const rejected: RuleProblem[] = [];
  let waiting = [...correlations];
  const ready = (target: Rule | Correlation | undefined): boolean =>
    target !== undefined && (!('timespan' in target) || ordered.includes(target));
  for (let moved = true; moved;) {
    moved = false;
    for (const one of waiting) {
      if (!one.correlation.rules.every((name) => ready(known.get(name)))) continue;
      ordered.push(one.correlation);
      waiting = waiting.filter((other) => other !== one);
      moved = true;
    }
  }
  for (const { correlation, line } of waiting) {
    const missing = correlation.rules.filter((name) => !known.has(name));
    const message =
      missing.length > 0
        ? `The correlation refers to ${missing.join(', ')}, which is not loaded`
        : 'The correlation refers to itself, or to one that was rejected';
    rejected.push({ path: correlation.path, line, message });
  }
  const valid = ordered.filter((correlation) => {
    const refused = expressionProblem(correlation);
    if (refused === null) return true;
    rejected.push({ path: correlation.path, line: 1, message: refused });
    return false;
  });
  const silent = silentOf(valid, known);
  const places = (all: readonly (Rule | Correlation)[]): number[] =>
    all.flatMap((one, place) => (silent.has(one) ? [place] : []));
  return { correlations: valid, rejected, silent: { rules: places(rules), correlations: places(valid) } };
}

function expressionProblem({ expression, rules }: Correlation): string | null {
  if (expression === null) return null;
  try {
    expressionOf(expression, rules);
    return null;
  } catch (error) {
    if (error instanceof RuleError) return error.message;
    throw error;
  }
}

function silentOf(
  correlations: readonly Correlation[],
  known: ReadonlyMap<string, Rule | Correlation>,
): Set<Rule | Correlation> {
  const silent = new Set<Rule | Correlation>();
  const heard = new Set<Rule | Correlation>();
  for (const { rules, generate } of correlations) {
    for (const name of rules) (generate ? heard : silent).add(known.get(name)!);
  }
  for (const one of heard) silent.delete(one);
  return silent;
}

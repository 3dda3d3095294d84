import type { Analysis, RuleSet } from '@svc/engine';

/** What the rules of a task took, by a sample of its records. */
export interface RuleCosts {
  /** Milliseconds of all rules together. */
  readonly ms: number;
  /** Those that took most, by id. */
  readonly rules: readonly OneRulesCost[];
}

export interface OneRulesCost {
  readonly id: string;
  /** Records that it was evaluated on. */
  readonly tries: number;
  readonly ms: number;
}

/** One in so many records is measured, which the analysis does not notice (docs/bench.md). */
export const measuredOneIn = 64;
/** Of more rules nothing is kept: what takes less than a hundred others does not make an analysis slow. */
const most = 100;

/** What of it is kept of an analysis; undefined where nothing was measured. */
export function toRuleCosts({ costs }: Pick<Analysis, 'costs'>, { rules }: RuleSet): RuleCosts | undefined {
  if (costs === null) return undefined;
  const named = costs.flatMap(({ rule, tries, ms }) => {
    const id = rules[rule]?.id ?? null;
    return id === null ? [] : [{ id, tries, ms: inMicroseconds(ms) }];
  });
  return {
    ms: inMicroseconds(costs.reduce((sum, { ms }) => sum + ms, 0)),
    rules: named.sort((a, b) => b.ms - a.ms || b.tries - a.tries).slice(0, most),
  };
}

/** No clock says more, and digits take room. */
function inMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

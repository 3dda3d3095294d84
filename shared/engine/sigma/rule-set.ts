import type { Correlation } from '../correlation/correlation.ts';
import type { Rule } from './rule.ts';

/** Rules ready to be matched; immutable, usable for any number of logs. */
export interface RuleSet {
  readonly rules: readonly Rule[];
  /** Inner ones before those that refer to them. */
  readonly correlations: readonly Correlation[];
  /** Places of the rules, and of the correlations, whose matches only feed correlations. */
  readonly silent: { readonly rules: readonly number[]; readonly correlations: readonly number[] };
}

/** What a finding can be of; a match is told by its place here. */
export type Reporting = Pick<Rule, 'id' | 'title' | 'level' | 'tags'>;

/** All that findings can be of: the rules, and behind them the correlations. */
export function reportingOf({ rules, correlations }: RuleSet): readonly Reporting[] {
  return [...rules, ...correlations];
}

import type { Severity } from '../severity.ts';
import { loadRules, type LoadOptions } from '../sigma/load-rules.ts';
import type { RuleProblem } from '../sigma/problem.ts';
import type { RuleSet } from '../sigma/rule-set.ts';

/** A rule or correlation that is to be tried. */
export interface TrialRule {
  readonly id: string | null;
  readonly title: string;
  readonly level: Severity;
  readonly isCorrelation: boolean;
}

/** What became of rules that somebody is writing. */
export interface Trial {
  readonly set: RuleSet;
  readonly rules: readonly TrialRule[];
  readonly rejected: readonly RuleProblem[];
  /** Also what keeps a rule that loads from ever giving a finding. */
  readonly warnings: readonly RuleProblem[];
}

/** Loads a text of rules to try them, whatever their status; path of the problems is `rule`. */
export function loadTrial(
  text: string,
  options: Pick<LoadOptions, 'placeholders' | 'unknownPlaceholders'> = {},
): Trial {
  const file = { path: 'rule', text };
  const { rules: set, rejected, warnings, withoutInput } = loadRules([file], { ...options, includeRetired: true });
  const { retired } = loadRules([file], options);
  const unread = Object.keys(withoutInput).map((source) => ({
    path: file.path,
    line: 1,
    message: `No kind of log that is read here is of the log source ${source}, so nothing can match`,
  }));
  const left = retired.map(({ message, ...place }) => ({ ...place, message: `${message}: packs leave it out` }));
  return {
    set,
    rules: [
      ...set.rules.map(({ id, title, level }) => ({ id, title, level, isCorrelation: false })),
      ...set.correlations.map(({ id, title, level }) => ({ id, title, level, isCorrelation: true })),
    ],
    rejected,
    warnings: [...warnings, ...left, ...unread],
  };
}

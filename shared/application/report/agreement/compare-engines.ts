import { severityRank, type Finding, type Severity } from '@svc/domain';
import type { RuleTraits } from '@svc/engine';
import type { StoredEvent } from '../new-finding.ts';
import { likelyCauses, type LikelyCause } from './likely-causes.ts';
import { byRule, byWord, recordsOf } from './records.ts';

/** A finding of one of several engines, with what is known of its rule and its events. */
export interface ComparedFinding extends Pick<Finding, 'id' | 'engine' | 'ruleId' | 'ruleName' | 'severity' | 'count'> {
  readonly traits: RuleTraits | null;
  readonly events: readonly StoredEvent[];
}

/** What an engine found by a rule. */
interface FoundByEngine {
  readonly findings: readonly number[];
  readonly count: number;
  /** Null where it is the rule's. */
  readonly severity: Severity | null;
}

/** A rule, and what each engine found by it, in the order of the engines. */
export interface ComparedRule {
  readonly ruleId: string | null;
  readonly ruleName: string;
  /** The built-in engine's where it found it, else the worst (decision 136). */
  readonly severity: Severity;
  readonly found: readonly (FoundByEngine | null)[];
  /** Whether all have it as often, all have it, or some have not. */
  readonly agreement: 'all' | 'counts' | 'some';
  /** Records that are known by computer, channel and number; null where fewer than two engines tell of such. */
  readonly records: {
    /** Those that any engine has, and those that all that found the rule have. */
    readonly known: number;
    readonly inCommon: number;
    /** Whether these are all of their matches. */
    readonly complete: boolean;
  } | null;
  readonly causes: readonly LikelyCause[];
}

/**
 * Lays the findings of engines side by side, worst first: those of one rule id, or of a copy of it, else of one title,
 * are of one rule (detection-engine 5.1).
 */
export function compareEngines(
  engines: readonly string[],
  builtIn: string,
  findings: readonly ComparedFinding[],
): ComparedRule[] {
  return byRule(findings)
    .map((group) => compared(engines, builtIn, group))
    .sort(
      (a, b) =>
        severityRank(a.severity) - severityRank(b.severity) || most(b) - most(a) || (a.ruleName < b.ruleName ? -1 : 1),
    );
}

function most({ found }: ComparedRule): number {
  return Math.max(...found.map((one) => one?.count ?? 0));
}

type Group = readonly ComparedFinding[];

function compared(engines: readonly string[], builtIn: string, group: Group): ComparedRule {
  const severity = [...group].sort(byWord)[0]?.severity ?? 'informational';
  const cells = engines.map((engine) => group.filter((one) => one.engine === engine));
  const found = cells.map((cell) => {
    if (cell.length === 0) return null;
    const own = [...cell].sort(byWord)[0]!.severity;
    return {
      findings: [...new Set(cell.map(({ id }) => id))],
      count: cell.reduce((sum, { count }) => sum + count, 0),
      severity: own === severity ? null : own,
    };
  });
  const counts = found.map((cell) => cell?.count ?? 0);
  const highest = Math.max(...counts);
  const isEqual = counts.every((count) => count === highest);
  const agreement = counts.includes(0) ? 'some' : isEqual ? 'all' : 'counts';
  const all = cells.flat();
  const rule = {
    by: engines.filter((_, at) => found[at] !== null),
    ruleId: all.find(({ ruleId }) => ruleId !== null)?.ruleId ?? null,
    traits: all.find(({ traits }) => traits !== null)?.traits ?? null,
    events: all.flatMap(({ events }) => events),
  };
  return {
    ruleId: rule.ruleId,
    ruleName: all[0]?.ruleName ?? '',
    severity,
    found,
    agreement,
    records: inCommonOf(cells),
    causes: once(
      engines.flatMap((engine, at) => ((counts[at] ?? 0) < highest ? likelyCauses(engine, builtIn, rule) : [])),
    ),
  };
}

/** One cause may keep several engines from a rule. */
function once(causes: readonly LikelyCause[]): LikelyCause[] {
  return [...new Map(causes.map((cause) => [`${cause.engine} ${cause.difference}`, cause])).values()];
}

function inCommonOf(cells: readonly Group[]): ComparedRule['records'] {
  const sets = cells.filter((cell) => cell.length > 0).map(recordsOf);
  if (sets.length < 2 || sets.some(({ keys }) => keys.size === 0)) return null;
  const known = new Set(sets.flatMap(({ keys }) => [...keys]));
  const inCommon = [...known].filter((key) => sets.every(({ keys }) => keys.has(key))).length;
  return { known: known.size, inCommon, complete: sets.every(({ complete }) => complete) };
}

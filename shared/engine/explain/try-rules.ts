import { analyze } from '../analyze.ts';
import type { FieldTable } from '../events/field-table.ts';
import type { LogEvent } from '../events/log-event.ts';
import type { Sample } from '../findings.ts';
import type { Severity } from '../severity.ts';
import type { LogType } from '../readers/log-type.ts';
import type { ByteSource, ReadOptions, ReadProblem } from '../readers/reader.ts';
import type { MatchOptions } from '../part-analyzer.ts';
import type { Placeholders } from '../sigma/placeholders.ts';
import type { Rule } from '../sigma/rule.ts';
import type { RuleSet } from '../sigma/rule-set.ts';
import type { Explanation } from './explanation.ts';
import { explainRule } from './explain-rule.ts';

export interface TryOptions extends Omit<ReadOptions, 'range'>, Pick<MatchOptions, 'logSource'> {
  readonly rules: RuleSet;
  /** `auto` decides by content. */
  readonly logType: LogType | 'auto';
  /** Matches of each rule that are kept, the first ones. */
  readonly maxSamples: number;
  /** Those that the rules were loaded with. */
  readonly placeholders?: Placeholders;
}

/** One item of a rule that a record satisfies. */
export interface MatchReason {
  /** Named part of the detection. */
  readonly part: string;
  /** As written, with its modifiers; empty for a keyword. */
  readonly key: string;
  /** What the record has there; null where the field is absent, and for keywords. */
  readonly found: readonly string[] | null;
  /** Those of the rule’s values that hold. */
  readonly values: readonly string[];
}

export interface TriedMatch extends Sample {
  /** Empty for the events of a correlation. */
  readonly reasons: readonly MatchReason[];
}

/** What one rule or correlation did in one log. */
export interface TriedRule {
  readonly id: string | null;
  readonly title: string;
  readonly level: Severity;
  readonly isCorrelation: boolean;
  readonly count: number;
  /** Records of its log source; of a correlation, of the rules that it counts. */
  readonly ofSource: number;
  readonly matches: readonly TriedMatch[];
}

export interface TriedLog {
  readonly logType: LogType;
  readonly records: number;
  /** Every rule that gives findings, also where it found nothing. */
  readonly rules: readonly TriedRule[];
  readonly problems: readonly ReadProblem[];
}

/**
 * Reads a log and tells of every rule how often it matches and why its first matches do. Rejects as
 * `analyze` does. Made for a few rules: with each goes one that every record of its log source matches.
 */
export async function tryRules(source: ByteSource, options: TryOptions): Promise<TriedLog> {
  const { rules: set, placeholders, maxSamples, ...reading } = options;
  const { rules, correlations, silent } = set;
  const counts = [...rules, ...rules].map(() => 0);
  const samples = rules.map((): TriedMatch[] => []);
  const onMatch = (number: number, event: LogEvent, fields: FieldTable): void => {
    counts[number]!++;
    const kept = samples[number];
    if (kept === undefined || kept.length >= maxSamples) return;
    const reasons = reasonsOf(explainRule(rules[number]!, event, fields, placeholders));
    kept.push({ ...event.head(), fields: event.toRecord(), reasons });
  };
  const probed = { ...set, rules: [...rules, ...rules.map(probeOf)] };
  const analysis = await analyze(source, { ...reading, rules: probed, maxSamples, onMatch });
  const isSilent = { rules: new Set(silent.rules), correlations: new Set(silent.correlations) };
  const ofRules = rules.map(({ id, title, level }, at): TriedRule => {
    const ofSource = counts[rules.length + at]!;
    return { id, title, level, isCorrelation: false, count: counts[at]!, ofSource, matches: samples[at]! };
  });
  const ofCorrelations = correlations.map(({ id, title, level, inputs }): TriedRule => {
    const finding = analysis.findings.find(({ ruleId, ruleName }) => ruleId === id && ruleName === title);
    const counted = inputs.filter(({ kind }) => kind === 'rule').map(({ place }) => counts[rules.length + place]!);
    const matches = (finding?.samples ?? []).map((sample) => ({ ...sample, reasons: [] }));
    const ofSource = counted.reduce((sum, one) => sum + one, 0);
    return { id, title, level, isCorrelation: true, count: finding?.count ?? 0, ofSource, matches };
  });
  return {
    logType: analysis.logType,
    records: analysis.events,
    rules: [
      ...ofRules.filter((_, at) => !isSilent.rules.has(at)),
      ...ofCorrelations.filter((_, at) => !isSilent.correlations.has(at)),
    ],
    problems: analysis.problems,
  };
}

/** What of a rule a record satisfies, as far as the rule matches it. */
function reasonsOf({ views }: Explanation): MatchReason[] {
  const matching = views.find((view) => view.sourceHolds && view.conditionHolds && !view.isFiltered);
  const parts = (matching?.identifiers ?? []).filter(({ holds }) => holds);
  return parts.flatMap(({ name, alternatives }) =>
    alternatives
      .filter(({ holds }) => holds)
      .flatMap(({ items }) =>
        items.map(({ key, found, values }) => ({
          part: name,
          key,
          found,
          values: values.filter(({ holds }) => holds).map(({ value }) => value),
        })),
      ),
  );
}

/** Matches every record that the rule sees. */
function probeOf({ title, logSource, path }: Rule): Rule {
  const expression = { kind: 'constant', value: true } as const;
  const facts = { id: null, name: null, level: 'informational', status: 'test', tags: [], author: null } as const;
  return { ...facts, title, logSource, expression, path, source: '' };
}

import type { FieldTable } from '../events/field-table.ts';
import type { LogEvent } from '../events/log-event.ts';
import { ABSENT } from '../events/value-table.ts';
import type { Sample } from '../findings.ts';
import type { Rule } from '../sigma/rule.ts';
import type { RuleSet } from '../sigma/rule-set.ts';
import type { Correlation } from './correlation.ts';
import { fieldOf, separator, type Use, usesOf } from './uses.ts';
import type { Reference } from './windows.ts';

const mostMatches = 1_000_000;
const mostSamples = 20_000;

/** A match that a correlation refers to. */
export interface CorrelatedMatch extends Reference {
  /** Place of the correlation in its set. */
  readonly correlation: number;
  /** Group: the folded values of the group-by fields, joined. */
  readonly key: string;
  readonly timestamp: string;
  /** The matched event as a sample naming its rule, while there is room for samples. */
  readonly sample: Sample | null;
}

/** The matches that correlations refer to, in the order of the input; plain data, so that threads can hand it over. */
export interface CorrelatedMatches {
  readonly matches: readonly CorrelatedMatch[];
  /** Matches beyond the bound. */
  readonly late: number;
  /** Matches without a time or a group-by field. */
  readonly ungrouped: number;
}

/** Gathers the matches that correlations refer to, as far as there is room. */
export class MatchCollector {
  readonly #rules: readonly Rule[];
  readonly #fields: FieldTable;
  readonly #correlations: readonly Correlation[];
  readonly #usesOfRule: readonly (readonly Use[])[];
  readonly #matches: CorrelatedMatch[] = [];
  #late = 0;
  #ungrouped = 0;

  constructor({ rules, correlations }: RuleSet, fields: FieldTable) {
    this.#rules = rules;
    this.#fields = fields;
    this.#correlations = correlations;
    this.#usesOfRule = correlations.length === 0 ? [] : rules.map((rule) => usesOf(correlations, rule));
  }

  /**
   * A rule holds for an event.
   * @param order place of the record in the input; not less than any before.
   */
  add(rule: number, event: LogEvent, order: number): void {
    for (const use of this.#usesOfRule[rule] ?? []) this.#feed(use, rule, event, order);
  }

  collected(): CorrelatedMatches {
    return { matches: this.#matches, late: this.#late, ungrouped: this.#ungrouped };
  }

  #feed({ correlation: number, place }: Use, rule: number, event: LogEvent, order: number): void {
    const correlation = this.#correlations[number]!;
    const { groupBy, fields } = correlation;
    const key = this.#textOf(
      event,
      groupBy.map((name) => fieldOf(correlation, place, name)),
    );
    const head = event.head();
    const { timestamp } = head;
    const time = timestamp === null ? Number.NaN : Date.parse(timestamp);
    if (key === null || timestamp === null || Number.isNaN(time)) {
      this.#ungrouped++;
      return;
    }
    const matches = this.#matches;
    if (matches.length >= mostMatches) {
      this.#late++;
      return;
    }
    const { id, title } = this.#rules[rule]!;
    const hasRoom = matches.length < mostSamples;
    const sample = hasRoom ? { ...head, fields: { _rule: id ?? title, ...event.toRecord() } } : null;
    const value = fields.length === 0 ? null : this.#textOf(event, fields);
    matches.push({ correlation: number, key, time, order, rule: place, value, timestamp, sample });
  }

  /** The folded texts of fields, joined; null when one is absent. */
  #textOf(event: LogEvent, names: readonly string[]): string | null {
    const texts: string[] = [];
    for (const name of names) {
      const value = event.value(this.#fields.id(name));
      if (value === ABSENT) return null;
      texts.push(event.values.folded(event.values.items(value)?.[0] ?? value));
    }
    return texts.join(separator);
  }
}

/** Joins what was collected from different parts of one input, within the bounds of one collector. */
export function joinMatches(parts: readonly CorrelatedMatches[]): CorrelatedMatches {
  if (parts.length === 1) return parts[0]!;
  const all = parts.flatMap((part) => part.matches).sort((a, b) => a.order - b.order);
  const matches = all
    .slice(0, mostMatches)
    .map((match, at) => (at >= mostSamples && match.sample !== null ? { ...match, sample: null } : match));
  return {
    matches,
    late: parts.reduce((sum, { late }) => sum + late, all.length - matches.length),
    ungrouped: parts.reduce((sum, { ungrouped }) => sum + ungrouped, 0),
  };
}

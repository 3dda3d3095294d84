import type { FieldTable } from '../events/field-table.ts';
import type { LogEvent } from '../events/log-event.ts';
import { ABSENT } from '../events/value-table.ts';
import { type Finding, mostComputers, type Sample } from '../findings.ts';
import type { ReadProblem } from '../readers/reader.ts';
import type { RuleSet } from '../sigma/rule-set.ts';
import type { Rule } from '../sigma/rule.ts';
import type { Correlation } from './correlation.ts';
import { findFirings, type Reference } from './windows.ts';

const mostReferences = 1_000_000;
const mostSamples = 20_000;
/** Between the values of a group; no text of a log has it after folding. */
const separator = '\u0000';

interface Match extends Reference {
  /** The matched event as a sample naming its rule, while there is room for samples. */
  readonly sample: Sample | null;
  readonly timestamp: string;
}

/** A burst or a window that fulfilled its condition. */
interface Fired {
  /** The match that first fulfilled it. */
  readonly at: Match;
  readonly events: readonly Match[];
}

interface State {
  readonly correlation: Correlation;
  /** Matches by group; the key joins the folded values of the group-by fields. */
  readonly groups: Map<string, Match[]>;
}

/** Where a rule's matches are fed: a correlation, and the rule's place in it. */
interface Use {
  readonly state: State;
  readonly place: number;
}

/**
 * Gathers the matches that correlations refer to and evaluates those when the input is read
 * (detection-engine 1.6): per group in order of time, inner correlations before outer ones.
 */
export class Correlator {
  readonly #rules: readonly Rule[];
  readonly #silent: ReadonlySet<number>;
  readonly #fields: FieldTable;
  readonly #states: readonly State[];
  readonly #usesOfRule: readonly (readonly Use[])[];
  readonly #maxSamples: number;
  #references = 0;
  #samples = 0;
  #late = 0;
  #ungrouped = 0;

  /** @param maxSamples kept per finding; 0 keeps them all, as far as there is room. */
  constructor({ rules, correlations, silent }: RuleSet, fields: FieldTable, maxSamples: number) {
    this.#rules = rules;
    this.#silent = new Set(silent.correlations);
    this.#fields = fields;
    this.#maxSamples = maxSamples === 0 ? Number.POSITIVE_INFINITY : maxSamples;
    this.#states = correlations.map((correlation) => ({ correlation, groups: new Map<string, Match[]>() }));
    this.#usesOfRule = rules.map((rule) => this.#usesOf(rule));
  }

  /** A rule holds for an event. */
  add(rule: number, event: LogEvent): void {
    for (const use of this.#usesOfRule[rule]!) this.#feed(use, rule, event);
  }

  /** The findings of all correlations; afterwards the correlator is spent. */
  findings(): Finding[] {
    return this.#states.flatMap((state, place) => {
      const fired = [...state.groups].flatMap(([key, matches]) => this.#fire(state, key, matches));
      return fired.length === 0 || this.#silent.has(place) ? [] : [this.#finding(state.correlation, fired)];
    });
  }

  problems(): ReadProblem[] {
    return [
      {
        code: 'correlation-full',
        message: 'Matches beyond the first million were not correlated.',
        offset: 0,
        count: this.#late,
      },
      {
        code: 'correlation-ungrouped',
        message: 'Matches without a time or a group-by field were not correlated.',
        offset: 0,
        count: this.#ungrouped,
      },
    ].filter(({ count }) => count > 0);
  }

  #usesOf({ id, name }: { readonly id: string | null; readonly name: string | null }): Use[] {
    const names = new Set([id, name?.toLowerCase()]);
    return this.#states.flatMap((state) =>
      state.correlation.rules.flatMap((reference, place) => (names.has(reference) ? [{ state, place }] : [])),
    );
  }

  #feed({ state, place }: Use, rule: number, event: LogEvent): void {
    const { groupBy, fields } = state.correlation;
    const key = this.#textOf(
      event,
      groupBy.map((name) => this.#fieldOf(state.correlation, place, name)),
    );
    const head = event.head();
    const time = head.timestamp === null ? Number.NaN : Date.parse(head.timestamp);
    if (key === null || Number.isNaN(time)) {
      this.#ungrouped++;
      return;
    }
    if (this.#references >= mostReferences) {
      this.#late++;
      return;
    }
    const keep = this.#samples < mostSamples;
    if (keep) this.#samples++;
    const { id, title } = this.#rules[rule]!;
    const sample = keep ? { ...head, fields: { _rule: id ?? title, ...event.toRecord() } } : null;
    const value = fields.length === 0 ? null : this.#textOf(event, fields);
    const { timestamp } = head;
    push(state, key, { time, order: this.#references++, rule: place, value, sample, timestamp: timestamp! });
  }

  /** The field that a group-by name means for one of the rules. */
  #fieldOf({ aliases, rules }: Correlation, place: number, name: string): string {
    return aliases[name]?.[rules[place]!] ?? name;
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

  #fire(state: State, key: string, matches: Match[]): Fired[] {
    matches.sort((a, b) => a.time - b.time || a.order - b.order);
    const fired = findFirings(state.correlation, matches).map((firing): Fired => ({
      at: matches[firing.at]!,
      events: matches.slice(firing.from, firing.to + 1),
    }));
    for (const one of fired) this.#chain(state.correlation, key, one);
    return fired;
  }

  /** A firing is an event for the correlations that refer to this one: its group's values, and `count`. */
  #chain(inner: Correlation, key: string, { at, events }: Fired): void {
    const texts = new Map(inner.groupBy.map((name, part) => [name, key.split(separator)[part]!]));
    texts.set('count', String(events.length));
    const joined = (names: readonly string[]): string | null => {
      const parts = names.map((name) => texts.get(name));
      return parts.includes(undefined) ? null : parts.join(separator);
    };
    for (const { state, place } of this.#usesOf(inner)) {
      const { groupBy, fields } = state.correlation;
      const group = joined(groupBy.map((name) => this.#fieldOf(state.correlation, place, name)));
      if (group === null) {
        this.#ungrouped++;
        continue;
      }
      const value = fields.length === 0 ? null : joined(fields);
      push(state, group, { ...at, order: this.#references++, rule: place, value });
    }
  }

  #finding(correlation: Correlation, fired: readonly Fired[]): Finding {
    const events = [...new Set(fired.flatMap((one) => one.events))];
    events.sort((a, b) => a.time - b.time || a.order - b.order);
    const computers = new Set(events.flatMap(({ sample }) => sample?.computer ?? []));
    return {
      ruleId: correlation.id,
      ruleName: correlation.title,
      severity: correlation.level,
      tags: correlation.tags,
      author: correlation.author,
      count: events.length,
      first: events[0]!.timestamp,
      last: events.at(-1)!.timestamp,
      computers: [...computers].slice(0, mostComputers),
      samples: events.flatMap(({ sample }) => sample ?? []).slice(0, this.#maxSamples),
      ruleSource: correlation.source,
    };
  }
}

function push(state: State, key: string, match: Match): void {
  const matches = state.groups.get(key);
  if (matches === undefined) state.groups.set(key, [match]);
  else matches.push(match);
}

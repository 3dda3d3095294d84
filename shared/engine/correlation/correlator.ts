import { type Finding, mostComputers } from '../findings.ts';
import type { ReadProblem } from '../readers/reader.ts';
import type { RuleSet } from '../sigma/rule-set.ts';
import type { Correlation } from './correlation.ts';
import type { CorrelatedMatch, CorrelatedMatches } from './match-collector.ts';
import { fieldOf, separator, usesOf } from './uses.ts';
import { findFirings } from './windows.ts';

/** A burst or a window that fulfilled its condition. */
interface Fired {
  /** The match that first fulfilled it. */
  readonly at: CorrelatedMatch;
  readonly events: readonly CorrelatedMatch[];
}

/**
 * Evaluates correlations when the input is read (detection-engine 1.6): per group in order of time,
 * inner correlations before outer ones.
 */
export class Correlator {
  readonly #correlations: readonly Correlation[];
  readonly #silent: ReadonlySet<number>;
  readonly #maxSamples: number;
  /** Matches by correlation and group. */
  readonly #groups: readonly Map<string, CorrelatedMatch[]>[];
  readonly #late: number;
  #ungrouped: number;
  #order: number;

  /**
   * @param collected matches in the order of the input.
   * @param maxSamples kept per finding; 0 keeps them all, as far as there is room.
   */
  constructor({ correlations, silent }: RuleSet, collected: CorrelatedMatches, maxSamples: number) {
    this.#correlations = correlations;
    this.#silent = new Set(silent.correlations);
    this.#maxSamples = maxSamples === 0 ? Number.POSITIVE_INFINITY : maxSamples;
    this.#groups = correlations.map(() => new Map<string, CorrelatedMatch[]>());
    this.#late = collected.late;
    this.#ungrouped = collected.ungrouped;
    for (const match of collected.matches) this.#push(match);
    this.#order = (collected.matches.at(-1)?.order ?? 0) + 1;
  }

  /** The findings of all correlations; afterwards the correlator is spent. */
  findings(): Finding[] {
    return this.#correlations.flatMap((correlation, place) => {
      const groups = [...this.#groups[place]!];
      const fired = groups.flatMap(([key, matches]) => this.#fire(correlation, key, matches));
      return fired.length === 0 || this.#silent.has(place) ? [] : [this.#finding(correlation, fired)];
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

  #push(match: CorrelatedMatch): void {
    const groups = this.#groups[match.correlation]!;
    const matches = groups.get(match.key);
    if (matches === undefined) groups.set(match.key, [match]);
    else matches.push(match);
  }

  #fire(correlation: Correlation, key: string, matches: CorrelatedMatch[]): Fired[] {
    matches.sort((a, b) => a.time - b.time || a.order - b.order);
    const fired = findFirings(correlation, matches).map((firing): Fired => ({
      at: matches[firing.at]!,
      events: matches.slice(firing.from, firing.to + 1),
    }));
    for (const one of fired) this.#chain(correlation, key, one);
    return fired;
  }

  /** A firing is an event for the correlations that refer to this one: its group's values, and `count`. */
  #chain(inner: Correlation, innerKey: string, { at, events }: Fired): void {
    const texts = new Map(inner.groupBy.map((name, part) => [name, innerKey.split(separator)[part]!]));
    texts.set('count', String(events.length));
    const joined = (names: readonly string[]): string | null => {
      const parts = names.map((name) => texts.get(name));
      return parts.includes(undefined) ? null : parts.join(separator);
    };
    for (const { correlation, place } of usesOf(this.#correlations, inner)) {
      const outer = this.#correlations[correlation]!;
      const key = joined(outer.groupBy.map((name) => fieldOf(outer, place, name)));
      if (key === null) {
        this.#ungrouped++;
        continue;
      }
      const value = outer.fields.length === 0 ? null : joined(outer.fields);
      this.#push({ ...at, correlation, key, order: this.#order++, rule: place, value });
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

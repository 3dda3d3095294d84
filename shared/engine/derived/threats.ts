import { severities, type Severity } from '../severity.ts';
import { compileCheck, type ThreatCheck, type ThreatHit, type ThreatTest } from './threat-checks.ts';
import { ValueMemo } from './value-memo.ts';

/** A kind of suspicious behaviour and what tells it (resolved-platform 6). */
export interface ThreatCategory {
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly defaultSeverity: Severity;
  readonly checks: readonly ThreatCheck[];
}

/** One thing that a category's checks found, in `count` events. */
export interface ThreatIndicator {
  readonly tag: string;
  readonly count: number;
  readonly severity: Severity;
  readonly value: string;
}

/** What the heuristics found (resolved-platform 6.2); by count descending, tag, value. */
export interface ThreatReport {
  /** Sum over the categories. */
  readonly total_indicators: number;
  readonly total_categories: number;
  readonly categories: Readonly<
    Record<
      string,
      {
        readonly label: string;
        readonly description: string;
        /** The worst of its indicators. */
        readonly severity: Severity;
        /** Sum of the counts. */
        readonly total: number;
        readonly indicators: readonly ThreatIndicator[];
      }
    >
  >;
}

/** A row of the accumulation; plain data, so that threads can hand it over. */
export interface ThreatRow {
  readonly category: number;
  readonly tag: string;
  readonly severity: Severity;
  readonly value: string;
  readonly count: number;
  readonly order: number;
}

interface Row extends ThreatRow {
  count: number;
  order: number;
  severity: Severity;
}

/** A hit and its row's key; made once per value. */
interface KnownHit extends ThreatHit {
  readonly category: number;
  readonly key: string;
  /** What counts once an event whatever its value; null for hits that each count. */
  readonly once: string | null;
  /** Of several hits by the same in one event, that of the least place counts. */
  readonly place: number;
}

interface FieldTest {
  readonly category: number;
  readonly test: ThreatTest;
  /** Which check it is of. */
  readonly check: number;
  /** Whether the check looks for the first hit in an event rather than for all (resolved-platform 6.1). */
  readonly isFirstOnly: boolean;
  /** Place of the field in the check's list. */
  readonly place: number;
}

/** Rows kept, all categories together. */
const mostRows = 20_000;
const noHits: readonly KnownHit[] = [];

/** Runs the checks of all categories on the values of events and counts what they find. */
export class ThreatTally {
  readonly #byField: ReadonlyMap<string, readonly FieldTest[]>;
  readonly #known = new ValueMemo<readonly KnownHit[]>();
  readonly #rows = new Map<string, Row>();
  /** Rows that this event has counted. */
  readonly #ofEvent = new Set<string>();
  /** First hits of this event, by what they are of; counted at its end. */
  readonly #first = new Map<string, KnownHit>();
  #order = 0;

  constructor(categories: readonly ThreatCategory[]) {
    this.#byField = testsOf(categories);
  }

  /** Ends an event; what is read next is of another. */
  nextEvent(): void {
    for (const hit of this.#first.values()) this.#countOnce(hit);
    this.#first.clear();
    this.#ofEvent.clear();
  }

  /**
   * Counts what the checks find in a value of this field; the same find counts once an event, and expressions and
   * entropy only by the first of the check's fields that they find something in.
   */
  read(field: string, value: string, order: number): void {
    const tests = this.#byField.get(field);
    if (tests === undefined) return;
    this.#order = order;
    for (const hit of this.#hitsIn(field, value, tests)) {
      if (hit.once === null) this.#countOnce(hit);
      else if (hit.place < (this.#first.get(hit.once)?.place ?? Number.POSITIVE_INFINITY)) {
        this.#first.set(hit.once, hit);
      }
    }
  }

  /** What was counted; ends the event. */
  rows(): ThreatRow[] {
    this.nextEvent();
    return [...this.#rows.values()].sort((a, b) => a.order - b.order || (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  #hitsIn(field: string, value: string, tests: readonly FieldTest[]): readonly KnownHit[] {
    return this.#known.of(field, value, () => {
      const hits = tests.flatMap(({ category, test, check, isFirstOnly, place }) =>
        test(value, field).map((hit): KnownHit => {
          const once = isFirstOnly ? `${check}\u0000${hit.tag}` : null;
          return { ...hit, category, key: keyOf({ ...hit, category }), once, place };
        }),
      );
      return hits.length === 0 ? noHits : hits;
    });
  }

  #countOnce({ key, category, tag, severity, value }: KnownHit): void {
    const ofEvent = `${key}\u0000${severity}`;
    if (this.#ofEvent.has(ofEvent)) return;
    this.#ofEvent.add(ofEvent);
    const row = this.#rows.get(key);
    if (row !== undefined) {
      row.count += 1;
      row.severity = worse(row.severity, severity);
    } else if (this.#rows.size < mostRows) {
      this.#rows.set(key, { category, tag, severity, value, count: 1, order: this.#order });
    }
  }
}

const compiled = new WeakMap<readonly ThreatCategory[], ReadonlyMap<string, readonly FieldTest[]>>();

/** Tests by field; made once for the categories, as their expressions take long to compile. */
function testsOf(categories: readonly ThreatCategory[]): ReadonlyMap<string, readonly FieldTest[]> {
  const known = compiled.get(categories);
  if (known !== undefined) return known;
  const byField = new Map<string, FieldTest[]>();
  const all = categories.flatMap(({ checks, defaultSeverity }, category) =>
    checks.map((check) => ({ category, check, test: compileCheck(check, defaultSeverity) })),
  );
  for (const [number, { category, check, test }] of all.entries()) {
    const isFirstOnly = check.type === 'regex' || check.type === 'entropy';
    for (const [place, field] of check.fields.entries()) {
      const tests = byField.get(field) ?? [];
      byField.set(field, [...tests, { category, test, check: number, isFirstOnly, place }]);
    }
  }
  compiled.set(categories, byField);
  return byField;
}

/** Puts together what parts of one input had, in their order, as one run over all of it would have. */
export function joinThreats(
  categories: readonly ThreatCategory[],
  parts: readonly (readonly ThreatRow[])[],
): ThreatReport {
  const joined = new Map<string, Row>();
  for (const row of parts.flat().sort((a, b) => a.order - b.order)) {
    const known = joined.get(keyOf(row));
    if (known === undefined) {
      if (joined.size < mostRows) joined.set(keyOf(row), { ...row });
    } else {
      known.count += row.count;
      known.severity = worse(known.severity, row.severity);
    }
  }
  return reportOf(categories, [...joined.values()]);
}

function reportOf(categories: readonly ThreatCategory[], rows: readonly ThreatRow[]): ThreatReport {
  const named = categories.flatMap(({ key, label, description }, category) => {
    const indicators = rows
      .filter((row) => row.category === category)
      .map(({ tag, count, severity, value }) => ({ tag, count, severity, value }))
      .sort((a, b) => b.count - a.count || compare(a.tag, b.tag) || compare(a.value, b.value));
    if (indicators.length === 0) return [];
    const severity = indicators.map((indicator) => indicator.severity).reduce(worse);
    const total = indicators.reduce((sum, { count }) => sum + count, 0);
    return [[key, { label, description, severity, total, indicators }] as const];
  });
  return {
    total_indicators: rows.reduce((sum, { count }) => sum + count, 0),
    total_categories: named.length,
    categories: Object.fromEntries(named),
  };
}

function worse(one: Severity, other: Severity): Severity {
  return severities.indexOf(one) <= severities.indexOf(other) ? one : other;
}

function keyOf({ category, tag, value }: Pick<ThreatRow, 'category' | 'tag' | 'value'>): string {
  return `${category}\u0000${tag}\u0000${value}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

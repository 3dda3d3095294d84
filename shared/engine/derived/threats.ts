import { severities, type Severity } from '../findings.ts';
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
}

interface FieldTest {
  readonly category: number;
  readonly test: ThreatTest;
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

  constructor(categories: readonly ThreatCategory[]) {
    this.#byField = testsOf(categories);
  }

  /** Ends an event; what is read next is of another. */
  nextEvent(): void {
    this.#ofEvent.clear();
  }

  /** Counts what the checks find in a value of this field; the same find counts once an event. */
  read(field: string, value: string, order: number): void {
    const tests = this.#byField.get(field);
    if (tests === undefined) return;
    for (const hit of this.#hitsIn(field, value, tests)) {
      const key = `${hit.key}\u0000${hit.severity}`;
      if (this.#ofEvent.has(key)) continue;
      this.#ofEvent.add(key);
      this.#count(hit, 1, order);
    }
  }

  rows(): ThreatRow[] {
    return [...this.#rows.values()].sort((a, b) => a.order - b.order || (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  #hitsIn(field: string, value: string, tests: readonly FieldTest[]): readonly KnownHit[] {
    return this.#known.of(field, value, () => {
      const hits = tests.flatMap(({ category, test }) =>
        test(value, field).map((hit) => ({ ...hit, category, key: keyOf({ ...hit, category }) })),
      );
      return hits.length === 0 ? noHits : hits;
    });
  }

  #count({ key, category, tag, severity, value }: KnownHit, count: number, order: number): void {
    const row = this.#rows.get(key);
    if (row !== undefined) {
      row.count += count;
      row.severity = worse(row.severity, severity);
    } else if (this.#rows.size < mostRows) {
      this.#rows.set(key, { category, tag, severity, value, count, order });
    }
  }
}

const compiled = new WeakMap<readonly ThreatCategory[], ReadonlyMap<string, readonly FieldTest[]>>();

/** Tests by field; made once for the categories, as their expressions take long to compile. */
function testsOf(categories: readonly ThreatCategory[]): ReadonlyMap<string, readonly FieldTest[]> {
  const known = compiled.get(categories);
  if (known !== undefined) return known;
  const byField = new Map<string, FieldTest[]>();
  for (const [category, { checks, defaultSeverity }] of categories.entries()) {
    for (const check of checks) {
      const test = compileCheck(check, defaultSeverity);
      for (const field of check.fields) byField.set(field, [...(byField.get(field) ?? []), { category, test }]);
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
    total_indicators: rows.length,
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

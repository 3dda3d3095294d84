import { routeFields } from '../events/route.ts';
import type { Expression } from '../sigma/expression.ts';
import type { LogSource } from '../sigma/log-source.ts';
import type { Rule } from '../sigma/rule.ts';
import { fileAnchors, type Anchors } from './anchor-table.ts';

/** A rule that asks for what a route decides, so that its anchor depends on the route. */
export interface RoutedRule {
  readonly rule: number;
  /** Event ids of which a record must have one for the rule to hold; null where that cannot be told. */
  readonly eventIds: readonly string[] | null;
}

/** How the rules of one log source are found by the values of an event; plain data. */
export interface SourceIndex extends Anchors {
  readonly routed: readonly RoutedRule[];
}

/** The rules whose log sources state the same; what they ask for is looked at when a route first needs them. */
export interface IndexedSource {
  readonly source: LogSource;
  /** How many rules. */
  readonly size: number;
  index(): SourceIndex;
}

const indexes = new WeakMap<readonly Rule[], readonly IndexedSource[]>();

/** The index of a list of rules, by log source, so that a route is held against each of those once. */
export function indexOf(rules: readonly Rule[]): readonly IndexedSource[] {
  let index = indexes.get(rules);
  if (index === undefined) {
    index = sourcesOf(rules);
    indexes.set(rules, index);
  }
  return index;
}

/** Makes known the index that was written down with a list of rules. */
export function keepIndex(rules: readonly Rule[], index: readonly IndexedSource[]): void {
  indexes.set(rules, index);
}

/** Equal for log sources that state the same. */
export function sourceKey({ product, category, service }: LogSource): string {
  return JSON.stringify([product, category, service]);
}

function sourcesOf(rules: readonly Rule[]): IndexedSource[] {
  const bySource = new Map<string, { source: LogSource; numbers: number[] }>();
  for (const [number, { logSource: source }] of rules.entries()) {
    const key = sourceKey(source);
    const entry = bySource.get(key) ?? { source, numbers: [] };
    entry.numbers.push(number);
    bySource.set(key, entry);
  }
  return [...bySource.values()].map(({ source, numbers }) => {
    let known: SourceIndex | undefined;
    return { source, size: numbers.length, index: () => (known ??= indexSource(rules, numbers)) };
  });
}

function indexSource(rules: readonly Rule[], numbers: readonly number[]): SourceIndex {
  const routed: RoutedRule[] = [];
  const others: [number, Expression][] = [];
  for (const rule of numbers) {
    const { expression } = rules[rule]!;
    if (asksForRoute(expression)) routed.push({ rule, eventIds: eventIdsOf(expression) });
    else others.push([rule, expression]);
  }
  return { ...fileAnchors(others), routed };
}

function asksForRoute(expression: Expression): boolean {
  switch (expression.kind) {
    case 'constant':
      return false;
    case 'test':
      return expression.field !== null && routeFields.has(expression.field.toLowerCase());
    case 'not':
      return asksForRoute(expression.of);
    default:
      return expression.of.some(asksForRoute);
  }
}

function eventIdsOf(expression: Expression): readonly string[] | null {
  switch (expression.kind) {
    case 'all':
      return expression.of.map(eventIdsOf).reduce((best, one) => (isFewer(one, best) ? one : best), null);
    case 'any': {
      const parts = expression.of.map(eventIdsOf);
      return parts.includes(null) ? null : [...new Set(parts.flatMap((ids) => ids ?? []))];
    }
    case 'test': {
      const { field, test } = expression;
      if (field?.toLowerCase() !== 'eventid') return null;
      if (test.kind === 'integer') return [test.text];
      const [only, ...more] = test.kind === 'pattern' ? test.pieces : [];
      return typeof only === 'string' && more.length === 0 ? [only] : null;
    }
    default:
      return null;
  }
}

function isFewer(one: readonly string[] | null, other: readonly string[] | null): boolean {
  return one !== null && (other === null || one.length < other.length);
}

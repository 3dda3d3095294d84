import { routeFields } from '../events/route.ts';
import type { Expression, ValueTest } from '../sigma/expression.ts';
import type { LogSource } from '../sigma/log-source.ts';
import type { Rule } from '../sigma/rule.ts';
import { fileAnchors, type Anchors } from './anchor-table.ts';
import { decidedBy } from './bound.ts';

/** A rule that asks for what a route decides, so that its anchor depends on the route. */
export interface RoutedRule {
  readonly rule: number;
  /** Event ids of which a record must have one for the rule to hold; null where that cannot be told. */
  readonly eventIds: readonly string[] | null;
}

/** How the rules of one log source are found by the values of an event; plain data. */
export interface SourceIndex {
  /** Rules that ask for nothing that a route decides, and what others are without any event id they ask for. */
  readonly anchors: Anchors;
  /** By event id, what the rules that ask for it are where it is that. */
  readonly byEventId: ReadonlyMap<string, () => Anchors>;
  /** The rules that are found by either, where the event id is known and well written. */
  readonly byEventIds: readonly RoutedRule[];
  /** Rules that ask for something else of the route. */
  readonly routed: readonly RoutedRule[];
}

/** The rules whose log sources state the same; what they ask for is looked at when a route first needs them. */
export interface IndexedSource {
  readonly source: LogSource;
  /** How many rules. */
  readonly size: number;
  readonly index: () => SourceIndex;
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
    return { source, size: numbers.length, index: once(() => indexSource(rules, numbers)) };
  });
}

function indexSource(rules: readonly Rule[], numbers: readonly number[]): SourceIndex {
  const anchored: [number, Expression][] = [];
  const byEventId = new Map<string, [number, Expression][]>();
  const byEventIds: RoutedRule[] = [];
  const routed: RoutedRule[] = [];
  for (const rule of numbers) {
    const { expression } = rules[rule]!;
    const asked = askedOf(expression);
    if (asked.size === 0) {
      anchored.push([rule, expression]);
      continue;
    }
    const one: RoutedRule = { rule, eventIds: eventIdsOf(expression) };
    if (asked.has(null)) {
      routed.push(one);
      continue;
    }
    byEventIds.push(one);
    anchored.push([rule, withEventId('', expression)]);
    for (const id of asked as ReadonlySet<string>) {
      const list = byEventId.get(id) ?? [];
      byEventId.set(id, [...list, [rule, withEventId(id, expression)]]);
    }
  }
  return {
    anchors: fileAnchors(anchored),
    byEventId: new Map([...byEventId].map(([id, list]) => [id, once(() => fileAnchors(list))])),
    byEventIds,
    routed,
  };
}

export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function withEventId(id: string, expression: Expression): Expression {
  return decidedBy({ fixed: new Map([['eventid', id]]) }, expression);
}

/** Event ids that an expression compares with; and null, where it asks anything else of what a route decides. */
function askedOf(expression: Expression): Set<string | null> {
  switch (expression.kind) {
    case 'constant':
      return new Set();
    case 'test': {
      const field = expression.field?.toLowerCase();
      if (field === undefined || !routeFields.has(field)) return new Set();
      const id = equalTo(expression.test);
      return new Set([field === 'eventid' && id !== null && isPlainId(id) ? id : null]);
    }
    case 'not':
      return askedOf(expression.of);
    default:
      return new Set(expression.of.flatMap((part) => [...askedOf(part)]));
  }
}

/** Whether an event id is written as all are, so that equal ones are the same text. */
export function isPlainId(text: string): boolean {
  return /^(?:0|[1-9]\d{0,9})$/.test(text);
}

/** The text that a test compares with; null for a test of another kind. */
function equalTo(test: ValueTest): string | null {
  if (test.kind === 'integer') return test.text;
  const [only, ...more] = test.kind === 'pattern' ? test.pieces : [];
  return typeof only === 'string' && more.length === 0 ? only : null;
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
      const id = expression.field?.toLowerCase() === 'eventid' ? equalTo(expression.test) : null;
      return id === null ? null : [id];
    }
    default:
      return null;
  }
}

function isFewer(one: readonly string[] | null, other: readonly string[] | null): boolean {
  return one !== null && (other === null || one.length < other.length);
}

import { type Expression, mapTests, type ValueTest } from '../sigma/expression.ts';
import type { LogSource } from '../sigma/log-source.ts';
import type { Rule } from '../sigma/rule.ts';
import { fileAnchors, type Anchors } from './anchor-table.ts';

/** How the rules of one log source are found by the values of an event; plain data. */
export interface SourceIndex {
  /** Rules that do not compare the event id, and what the others are where it is none that they compare with. */
  readonly anchors: Anchors;
  /** By event id, what the rules that compare with it are where it is that. */
  readonly byEventId: ReadonlyMap<string, () => Anchors>;
  /** The rules that compare the event id. */
  readonly comparing: readonly number[];
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
  const comparing: number[] = [];
  for (const rule of numbers) {
    const { expression } = rules[rule]!;
    const ids = eventIdsOf(expression);
    if (ids === null) {
      anchored.push([rule, expression]);
      continue;
    }
    comparing.push(rule);
    anchored.push([rule, withEventId('', expression)]);
    for (const id of ids) {
      const list = byEventId.get(id);
      const one: [number, Expression] = [rule, withEventId(id, expression)];
      if (list === undefined) byEventId.set(id, [one]);
      else list.push(one);
    }
  }
  return {
    anchors: fileAnchors(anchored),
    byEventId: new Map([...byEventId].map(([id, list]) => [id, once(() => fileAnchors(list))])),
    comparing,
  };
}

/** A function that makes its result when it is first called. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Whether an event id is written as all are, so that equal ones are the same text. */
export function isPlainId(text: string): boolean {
  return /^(?:0|[1-9]\d{0,9})$/.test(text);
}

/** Event ids that an expression compares with; null where it asks for none, or for more than equality. */
function eventIdsOf(expression: Expression): ReadonlySet<string> | null {
  const ids = new Set<string>();
  let isPlain = true;
  mapTests(expression, (test) => {
    if (isEventId(test)) {
      const id = equalTo(test.test);
      if (id !== null && isPlainId(id)) ids.add(id);
      else isPlain = false;
    }
    return test;
  });
  return isPlain && ids.size > 0 ? ids : null;
}

function withEventId(id: string, expression: Expression): Expression {
  return mapTests(expression, (test) =>
    isEventId(test) ? { kind: 'constant', value: equalTo(test.test) === id } : test,
  );
}

function isEventId({ field }: Extract<Expression, { kind: 'test' }>): boolean {
  return field?.toLowerCase() === 'eventid';
}

/** The text that a test compares with; null for a test of another kind. */
function equalTo(test: ValueTest): string | null {
  if (test.kind === 'integer') return test.text;
  const [only, ...more] = test.kind === 'pattern' ? test.pieces : [];
  return typeof only === 'string' && more.length === 0 ? only : null;
}

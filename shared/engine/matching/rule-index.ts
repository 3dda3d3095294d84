import { fold } from '../events/value-table.ts';
import { type Expression, mapTests, type ValueTest } from '../sigma/expression.ts';
import type { LogSource } from '../sigma/log-source.ts';
import type { Rule } from '../sigma/rule.ts';
import { fileAnchors, type Anchors } from './anchor-table.ts';

/** A field whose value the route tells and most rules of a log source compare: of Windows, and of auditd. */
export type DecidingField = 'eventid' | 'type';

/** How the rules of one log source are found by the values of an event; plain data. */
export interface SourceIndex {
  readonly decidingField: DecidingField;
  /** Rules that do not compare the deciding field, and what the others are where it is nothing that they compare with. */
  readonly anchors: Anchors;
  /** By value of that field, folded, what the rules that compare with it are where it is that. */
  readonly byValue: ReadonlyMap<string, () => Anchors>;
  /** The rules that compare the deciding field. */
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
    return { source, size: numbers.length, index: once(() => indexSource(rules, numbers, decidingFieldOf(source))) };
  });
}

function decidingFieldOf({ service }: LogSource): DecidingField {
  return service?.toLowerCase() === 'auditd' ? 'type' : 'eventid';
}

function indexSource(rules: readonly Rule[], numbers: readonly number[], field: DecidingField): SourceIndex {
  const anchored: [number, Expression][] = [];
  const byValue = new Map<string, [number, Expression][]>();
  const comparing: number[] = [];
  for (const rule of numbers) {
    const { expression } = rules[rule]!;
    const values = comparedWith(expression, field);
    if (values === null) {
      anchored.push([rule, expression]);
      continue;
    }
    comparing.push(rule);
    anchored.push([rule, decided(expression, field, '')]);
    for (const value of values) {
      const list = byValue.get(value);
      const one: [number, Expression] = [rule, decided(expression, field, value)];
      if (list === undefined) byValue.set(value, [one]);
      else list.push(one);
    }
  }
  return {
    decidingField: field,
    anchors: fileAnchors(anchored),
    byValue: new Map([...byValue].map(([value, list]) => [value, once(() => fileAnchors(list))])),
    comparing,
  };
}

/** A function that makes its result when it is first called. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/**
 * What an index has for the value of its deciding field: nothing where no rule compares with that, null where
 * any may, as the value is not known or not written as such values are.
 */
export function decidedValue({ decidingField, byValue }: SourceIndex, value: string | undefined): string | null {
  if (value === undefined || !isPlain(decidingField, value)) return null;
  const folded = fold(value);
  return byValue.has(folded) ? folded : '';
}

/** Whether a value is written so that equal ones are the same text but for case. */
function isPlain(field: DecidingField, text: string): boolean {
  return field === 'eventid' ? /^(?:0|[1-9]\d{0,9})$/.test(text) : /^[a-z]\w{0,30}$/i.test(text);
}

/** Values that an expression compares a field with; null where it asks for none, or for more than equality. */
function comparedWith(expression: Expression, field: DecidingField): ReadonlySet<string> | null {
  const values = new Set<string>();
  let onlyPlain = true;
  mapTests(expression, (test) => {
    if (isOf(field, test)) {
      const value = equalTo(test.test);
      if (value !== null && isPlain(field, value)) values.add(fold(value));
      else onlyPlain = false;
    }
    return test;
  });
  return onlyPlain && values.size > 0 ? values : null;
}

/** An expression as it is where a field has a value that is written plainly. */
function decided(expression: Expression, field: DecidingField, value: string): Expression {
  return mapTests(expression, (test) =>
    isOf(field, test) ? { kind: 'constant', value: fold(equalTo(test.test) ?? '') === value } : test,
  );
}

function isOf(wanted: DecidingField, { field }: Extract<Expression, { kind: 'test' }>): boolean {
  return field?.toLowerCase() === wanted;
}

/** The text that a test compares with, whatever its case; null for a test of another kind. */
function equalTo(test: ValueTest): string | null {
  if (test.kind === 'integer') return test.text;
  if (test.kind !== 'pattern' || test.cased) return null;
  const [only, ...more] = test.pieces;
  return typeof only === 'string' && more.length === 0 ? only : null;
}

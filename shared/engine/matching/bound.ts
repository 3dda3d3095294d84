import type { LogEvent } from '../events/log-event.ts';
import type { Route } from '../events/route.ts';
import { ValueTable } from '../events/value-table.ts';
import { ABSENT, type ValueId } from '../events/value-id.ts';
import type { FieldTable } from '../events/field-table.ts';
import { fieldReader, type Derived } from '../sigma/derived-fields.ts';
import { mapTests, type Expression, type ValueTest } from '../sigma/expression.ts';
import type { MappingName } from '../sigma/source-row.ts';
import { compileValueTest } from './value-tests.ts';

/** Column number of keyword tests: every text of the event. */
export const KEYWORDS = -1;

/** An expression whose fields are columns of one route; names are gone. */
export type Bound = Gist &
  (
    | { readonly kind: 'constant'; readonly value: boolean }
    | { readonly kind: 'all' | 'any'; readonly of: readonly Bound[] }
    | { readonly kind: 'not'; readonly of: Bound }
    | { readonly kind: 'test'; readonly column: number; readonly test: Exclude<ValueTest, { kind: 'fieldref' }> }
    | {
        readonly kind: 'same';
        readonly column: number;
        readonly other: number;
        readonly test: Extract<ValueTest, { kind: 'fieldref' }>;
      }
  );

/** What is asked of every part of a tree, worked out with it. */
interface Gist {
  /** The one column that it looks at; null when there are several, keywords or references. */
  readonly only: number | null;
  /** What it takes to decide it, among others of a list. */
  readonly cost: number;
}

/** The values that the rules of one route look at, each read at most once per event. */
export class Columns {
  readonly #route: Route;
  readonly #fields: FieldTable;
  readonly #byKey = new Map<string, number>();
  /** By mapping and name, what was asked for before. */
  readonly #asked = new Map<MappingName | undefined, Map<string, number>>();
  readonly #readers: Derived[] = [];
  #values = new Int32Array(16);
  #read = new Int32Array(16);
  #event: LogEvent | undefined;
  #turn = 0;

  constructor(route: Route, fields: FieldTable) {
    this.#route = route;
    this.#fields = fields;
  }

  /** Number of a field's column, read through a mapping or natively. */
  of(name: string, mapping: MappingName | undefined): number {
    let asked = this.#asked.get(mapping);
    if (asked === undefined) this.#asked.set(mapping, (asked = new Map()));
    let column = asked.get(name);
    if (column === undefined) asked.set(name, (column = this.#columnOf(name, mapping)));
    return column;
  }

  #columnOf(name: string, mapping: MappingName | undefined): number {
    const derived = fieldReader(this.#fields, this.#route, name, mapping);
    const key = `${derived === null ? '' : (mapping ?? '*')}\u0000${name}`;
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const field = this.#fields.id(name);
    const column = this.#readers.push(derived ?? ((event) => event.value(field))) - 1;
    this.#byKey.set(key, column);
    if (column >= this.#values.length) {
      const [values, read] = [new Int32Array(column * 2), new Int32Array(column * 2)];
      values.set(this.#values);
      read.set(this.#read);
      this.#values = values;
      this.#read = read;
    }
    return column;
  }

  /** The event taken up. */
  get event(): LogEvent {
    return this.#event!;
  }

  /** Takes up an event; values of the one before are void. */
  begin(event: LogEvent): void {
    this.#event = event;
    this.#turn++;
  }

  /** Lets go of the event: there are many routes, and each event holds on to what its log was read into. */
  end(): void {
    this.#event = undefined;
  }

  value(column: number): ValueId {
    if (this.#read[column] === this.#turn) return this.#values[column]!;
    const value = this.#readers[column]!(this.#event!);
    this.#read[column] = this.#turn;
    this.#values[column] = value;
    return value;
  }
}

/** Resolves a rule's fields for a route: columns for most, constants for what the route decides. */
export function bind(expression: Expression, route: Route, columns: Columns, mapping: MappingName | undefined): Bound {
  const decided = mapTests(expression, (test) => {
    const value = test.field === null ? undefined : route.fixed.get(test.field.toLowerCase());
    if (value === undefined || test.test.kind === 'fieldref') return test;
    return { kind: 'constant', value: holdsFor(test.test, value) };
  });
  return columnsFor(decided, columns, mapping);
}

/** An expression with columns for its fields, read through a mapping. */
export function columnsFor(expression: Expression, columns: Columns, mapping: MappingName | undefined): Bound {
  switch (expression.kind) {
    case 'constant':
      return constant(expression.value);
    case 'not': {
      const of = columnsFor(expression.of, columns, mapping);
      return { kind: 'not', of, only: of.only, cost: of.cost };
    }
    case 'test': {
      const { field, test } = expression;
      const column = field === null ? KEYWORDS : columns.of(field, mapping);
      if (test.kind === 'fieldref') {
        return { kind: 'same', column, other: columns.of(test.other, mapping), test, only: null, cost: 4 };
      }
      if (column === KEYWORDS) return { kind: 'test', column, test, only: null, cost: 1000 };
      return { kind: 'test', column, test, only: column, cost: test.kind === 'regex' ? 100 : 1 };
    }
    default: {
      const of: Bound[] = [];
      for (const part of expression.of) of.push(columnsFor(part, columns, mapping));
      return list(expression.kind, of);
    }
  }
}

export function constant(value: boolean): Bound {
  return { kind: 'constant', value, only: null, cost: 0 };
}

/** Parts of which all must hold, or any. */
export function list(kind: 'all' | 'any', of: readonly Bound[]): Bound {
  let only = of[0]?.only ?? null;
  let cost = 0;
  for (const part of of) {
    if (part.only !== only) only = null;
    cost += part.cost;
  }
  return { kind, of, only, cost };
}

const scratch = new ValueTable();

function holdsFor(test: Exclude<ValueTest, { kind: 'fieldref' }>, text: string): boolean {
  scratch.nextRecord();
  return compileValueTest(test)(text === '' ? ABSENT : scratch.intern(text), scratch);
}

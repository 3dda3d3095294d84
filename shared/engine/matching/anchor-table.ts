import type { Expression } from '../sigma/expression.ts';
import { anchorOf } from './anchors.ts';
import { fileLiterals, type LiteralTables } from './literal-tables.ts';

/** The rules that a value of one field makes worth evaluating; plain data, made once and read by all runs. */
export interface AnchorTable {
  /** Null: every text of the event. */
  readonly field: string | null;
  /** Rules by the folded text that the value equals. */
  readonly wholes: ReadonlyMap<string, readonly number[]>;
  /** What the value may contain; null where no rule asks for that. */
  readonly parts: LiteralTables | null;
  /** Numbers of the rules of each part, one part after another, and where those of each begin. */
  readonly partRules: Int32Array;
  readonly partStarts: Int32Array;
}

export interface Anchors {
  readonly tables: readonly AnchorTable[];
  /** Rules of which no anchor can be named, to be evaluated for every event. */
  readonly always: readonly number[];
}

interface Collected {
  readonly wholes: Map<string, number[]>;
  readonly parts: Map<string, number[]>;
}

/** Files rules, by number, under their anchors; those that never hold are left out. */
export function fileAnchors(rules: Iterable<readonly [rule: number, expression: Expression]>): Anchors {
  const fields = new Map<string | null, Collected>();
  const always: number[] = [];
  for (const [rule, expression] of rules) {
    if (expression.kind === 'constant' && !expression.value) continue;
    const anchor = anchorOf(expression);
    if (anchor === null) always.push(rule);
    for (const { field, literal, whole } of anchor ?? []) {
      let collected = fields.get(field);
      if (collected === undefined) fields.set(field, (collected = { wholes: new Map(), parts: new Map() }));
      const map = whole ? collected.wholes : collected.parts;
      const known = map.get(literal);
      if (known === undefined) map.set(literal, [rule]);
      else if (known.at(-1) !== rule) known.push(rule);
    }
  }
  return { tables: [...fields].map(([field, collected]) => tableOf(field, collected)), always };
}

/** One table of several of the same field, so that a value is searched once for all of them. */
export function joinTables(tables: readonly AnchorTable[]): AnchorTable {
  const [first, ...rest] = tables;
  if (rest.length === 0) return first!;
  const joined: Collected = { wholes: new Map(), parts: new Map() };
  for (const table of tables) {
    const { wholes, partRules, partStarts } = table;
    for (const [literal, rules] of wholes) addRules(joined.wholes, literal, rules);
    for (const [part, literal] of partsOf(table).entries()) {
      addRules(joined.parts, literal, partRules.subarray(partStarts[part], partStarts[part + 1]));
    }
  }
  return tableOf(first!.field, joined);
}

/** What a value may contain, by its number, dashes made one. */
export function partsOf({ parts }: AnchorTable): string[] {
  if (parts === null) return [];
  const { units, starts, next } = parts;
  return Array.from(next, (_, part) => String.fromCharCode(...units.subarray(starts[part], starts[part + 1])));
}

/** A table that only tells whether any of the literals stands in a text. */
export function fileTexts(literals: Iterable<string>): AnchorTable {
  return tableOf(null, { wholes: new Map(), parts: new Map(Array.from(literals, (literal) => [literal, [0]])) });
}

function addRules(map: Map<string, number[]>, literal: string, rules: Iterable<number>): void {
  map.set(literal, [...(map.get(literal) ?? []), ...rules]);
}

function tableOf(field: string | null, { wholes, parts }: Collected): AnchorTable {
  const lists = [...parts.values()];
  const partStarts = new Int32Array(lists.length + 1);
  for (const [part, list] of lists.entries()) partStarts[part + 1] = partStarts[part]! + list.length;
  return {
    field,
    wholes,
    parts: parts.size === 0 ? null : fileLiterals([...parts.keys()]),
    partRules: new Int32Array(lists.flat()),
    partStarts,
  };
}

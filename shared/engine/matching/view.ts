import type { LogEvent } from '../events/log-event.ts';
import { type Route, routeFields } from '../events/route.ts';
import { ValueTable } from '../events/value-table.ts';
import type { EventTables } from '../readers/reader.ts';
import type { Expression } from '../sigma/expression.ts';
import type { Rule } from '../sigma/rule.ts';
import { conditionOf, rowsFor, rowsOf } from '../sigma/source-rows.ts';
import type { SourceRow } from '../sigma/source-row.ts';
import { type Anchors, type AnchorTable, fileAnchors, joinTables } from './anchor-table.ts';
import { type Bound, Columns, columnsFor, constant, list } from './bound.ts';
import { CandidateIndex } from './candidates.ts';
import { compileCondition, type Condition } from './conditions.ts';
import type { Memo } from './memo.ts';
import { decidedValue, type IndexedSource, indexOf, type SourceIndex } from './rule-index.ts';
import type { RuleProfile } from './rule-profile.ts';
import { Trials, Turns } from './trials.ts';

/** What all views of a run share. */
export class MatchRun {
  readonly rules: readonly Rule[];
  readonly sources: readonly IndexedSource[];
  readonly tables: EventTables;
  readonly memo: Memo;
  readonly turns: Turns;
  readonly #indexes = new Map<AnchorTable, CandidateIndex>();
  /** Numbers of tables, and by such numbers the table that joins them. */
  readonly #numbers = new Map<AnchorTable, number>();
  readonly #joined = new Map<string, AnchorTable>();

  constructor(rules: readonly Rule[], tables: EventTables, memo: Memo) {
    this.rules = rules;
    this.sources = indexOf(rules);
    this.tables = tables;
    this.memo = memo;
    this.turns = new Turns(rules.length);
  }

  /** What is remembered of values, for each table of a source's anchors. */
  indexes(tables: readonly AnchorTable[]): CandidateIndex[] {
    return tables.map((table) => {
      let index = this.#indexes.get(table);
      if (index === undefined) this.#indexes.set(table, (index = new CandidateIndex(table, this.tables.values)));
      return index;
    });
  }

  /** The one table of several of the same field; the same one for the same tables. */
  joined(tables: readonly AnchorTable[]): AnchorTable {
    const numbers = tables.map((table) => {
      const number = this.#numbers.get(table) ?? this.#numbers.size;
      this.#numbers.set(table, number);
      return number;
    });
    const key = numbers.join(' ');
    let table = this.#joined.get(key);
    if (table === undefined) this.#joined.set(key, (table = joinTables(tables)));
    return table;
  }
}

/** Rules of one log source and the rows through which they see the events. */
interface Seeing {
  readonly index: SourceIndex;
  readonly rows: readonly SourceRow[];
}

/** A table that finds rules by a value of the route. */
interface Told {
  readonly table: AnchorTable;
  readonly rows: readonly SourceRow[];
}

/** How rules see the events of all routes that they see alike: what they are found by, and compiled, once. */
export class View {
  readonly #run: MatchRun;
  readonly #rows: readonly SourceRow[];
  readonly #columns: Columns;
  readonly #trials: Trials;
  readonly #seeing: readonly Seeing[];
  /** What finds rules by a value that a route may tell for all of its events. */
  readonly #told: readonly Told[];
  /** By the values that decide, one of each log source, and the rules that the route names. */
  readonly #groups = new Map<string, RuleGroup>();

  constructor(run: MatchRun, route: Route) {
    this.#run = run;
    this.#rows = rowsOf(route);
    this.#columns = new Columns(route, run.tables.fields);
    this.#seeing = run.sources.flatMap(({ source, index }) => {
      const rows = rowsFor(source, this.#rows);
      return rows.length === 0 ? [] : [{ index: index(), rows }];
    });
    this.#told = this.#seeing.flatMap(({ index, rows }) =>
      index.anchors.tables.filter(isTold).map((table) => ({ table, rows })),
    );
    this.#trials = this.#trialsOf(({ anchors: { tables, always } }) => {
      return { tables: tables.filter((table) => !isTold(table)), always };
    });
  }

  /** The rules for the events of one of its routes. */
  group({ fixed }: Route): RuleGroup {
    const values = this.#seeing.map(({ index }) => decidedValue(index, fixed.get(index.decidingField)));
    const named = this.#told.map(({ table }) => namedBy(table, fixed.get(table.field!.toLowerCase())));
    const key = JSON.stringify([values, named]);
    let group = this.#groups.get(key);
    if (group === undefined) {
      const byIndex = new Map(this.#seeing.map(({ index }, at) => [index, values[at]!]));
      group = this.#groupOf((index) => this.#anchorsFor(index, byIndex.get(index)!), named);
      this.#groups.set(key, group);
    }
    return group;
  }

  #anchorsFor(index: SourceIndex, value: string | null): Anchors | undefined {
    return value === null ? fileAnchors(this.#expressionsOf(index.comparing)) : index.byValue.get(value)?.();
  }

  /** @param named rules that the route names, by what is told; null where it tells nothing. */
  #groupOf(
    anchorsOf: (index: SourceIndex) => Anchors | undefined,
    named: readonly (readonly number[] | null)[],
  ): RuleGroup {
    const own = this.#trialsOf(anchorsOf);
    for (const [at, { table, rows }] of this.#told.entries()) {
      const rules = named[at]!;
      if (rules !== null) own.add({ tables: [], always: rules }, [], rows);
      else own.add({ tables: [table], always: [] }, this.#run.indexes([table]), rows);
    }
    return new RuleGroup(this.#columns, this.#run.turns, [this.#trials, own]);
  }

  #trialsOf(anchorsOf: (index: SourceIndex) => Anchors | undefined): Trials {
    const trials = new Trials(this.#columns, this.#run.turns, (rule) => this.#compile(rule));
    // Whole lines are searched, so once for all sources.
    const keywords: AnchorTable[] = [];
    for (const { index, rows } of this.#seeing) {
      const { tables = [], always = [] } = anchorsOf(index) ?? {};
      const named = tables.filter(({ field }) => field !== null);
      trials.add({ tables: named, always }, this.#run.indexes(named), rows);
      keywords.push(...tables.filter(({ field }) => field === null));
    }
    if (keywords.length > 0) {
      const tables = [this.#run.joined(keywords)];
      trials.add({ tables, always: [] }, this.#run.indexes(tables), this.#rows);
    }
    return trials;
  }

  #expressionsOf(rules: readonly number[]): (readonly [number, Expression])[] {
    return rules.map((rule) => [rule, this.#run.rules[rule]!.expression]);
  }

  /** A rule as any of the rows through which it sees the events. */
  #compile(number: number): Condition {
    const { tables, memo, rules } = this.#run;
    const { logSource, expression } = rules[number]!;
    const instances = rowsFor(logSource, this.#rows).map((row) => {
      const own = columnsFor(expression, this.#columns, row.mapping);
      const when = conditionOf(row, expression);
      return when === undefined ? own : both(columnsFor(when, this.#columns, undefined), own);
    });
    return compileCondition(either(instances), this.#columns, tables.values, memo);
  }
}

/** The rules that can apply to the events of some routes. */
export class RuleGroup {
  readonly #columns: Columns;
  readonly #turns: Turns;
  readonly #trials: readonly Trials[];

  constructor(columns: Columns, turns: Turns, trials: readonly Trials[]) {
    this.#columns = columns;
    this.#turns = turns;
    this.#trials = trials.filter((one) => !one.isEmpty);
  }

  /** Calls `matched` with the number of each rule that holds for the event; `profile` measures what that takes. */
  match(event: LogEvent, matched: (rule: number) => void, profile: RuleProfile | undefined): void {
    if (this.#trials.length === 0) return;
    this.#columns.begin(event);
    this.#turns.next(profile);
    for (const trials of this.#trials) trials.match(event, matched);
    this.#columns.end();
  }
}

function isTold({ field }: AnchorTable): boolean {
  return field !== null && routeFields.has(field.toLowerCase());
}

const scratch = new ValueTable();

/** The rules that a value of the route names; null where the route does not tell it. */
function namedBy(table: AnchorTable, text: string | undefined): readonly number[] | null {
  if (text === undefined) return null;
  scratch.nextRecord();
  return text === '' ? [] : new CandidateIndex(table, scratch).candidates(scratch.intern(text));
}

function both(left: Bound, right: Bound): Bound {
  if (left.kind === 'constant') return left.value ? right : left;
  if (right.kind === 'constant') return right.value ? left : right;
  return list('all', [left, right]);
}

function either(parts: readonly Bound[]): Bound {
  const open = parts.filter((part) => part.kind !== 'constant' || part.value);
  if (open.length === 0) return constant(false);
  return open.length === 1 ? open[0]! : list('any', open);
}

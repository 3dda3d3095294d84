import type { LogEvent } from '../events/log-event.ts';
import type { Route } from '../events/route.ts';
import type { EventTables } from '../readers/reader.ts';
import type { Expression } from '../sigma/expression.ts';
import type { Rule } from '../sigma/rule.ts';
import { conditionOf, rowsFor, rowsOf, type SourceRow } from '../sigma/source-rows.ts';
import { type AnchorTable, fileAnchors, joinTables } from './anchor-table.ts';
import { type Bound, Columns, columnsFor, decidedBy } from './bound.ts';
import { CandidateIndex } from './candidates.ts';
import { compileCondition, type Condition } from './conditions.ts';
import type { Memo } from './memo.ts';
import { type IndexedSource, indexOf, isPlainId, type SourceIndex } from './rule-index.ts';
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

/**
 * How rules see the events of routes that are alike but for what they decide. Rules that do not ask for
 * that, or for the event id only, are found and compiled once for all of them.
 */
export class View {
  /** Rules that the view holds, and one for itself: what building it may cost. */
  readonly size: number;
  readonly #run: MatchRun;
  readonly #rows: readonly SourceRow[];
  readonly #columns: Columns;
  readonly #trials: Trials;
  readonly #byEventId = new Map<string, Trials>();
  readonly #seeing: Seeing[] = [];

  constructor(run: MatchRun, route: Route) {
    this.#run = run;
    this.#rows = rowsOf(route);
    this.#columns = new Columns(route, run.tables.fields);
    this.#trials = this.#newTrials();
    let size = 1;
    // Whole lines are searched, so once for all sources.
    const keywords: AnchorTable[] = [];
    for (const indexed of run.sources) {
      const rows = rowsFor(indexed.source, this.#rows);
      if (rows.length === 0) continue;
      const index = indexed.index();
      const { tables, always } = index.anchors;
      const named = tables.filter(({ field }) => field !== null);
      this.#trials.add({ tables: named, always }, run.indexes(named), rows);
      keywords.push(...tables.filter(({ field }) => field === null));
      this.#seeing.push({ index, rows });
      size += indexed.size;
    }
    if (keywords.length > 0) {
      const tables = [run.joined(keywords)];
      this.#trials.add({ tables, always: [] }, run.indexes(tables), this.#rows);
    }
    this.size = size;
  }

  /** The rules for the events of one of its routes. */
  group(route: Route): RuleGroup {
    const id = route.fixed.get('eventid');
    const isPlain = id !== undefined && isPlainId(id);
    const decide = (expression: Expression): Expression => decidedBy(route, expression);
    const routed = this.#newTrials(decide);
    let size = 1;
    for (const { index, rows } of this.#seeing) {
      const asking = isPlain ? index.routed : [...index.routed, ...index.byEventIds];
      const possible = asking.filter(({ eventIds }) => !isPlain || eventIds === null || eventIds.includes(id));
      if (possible.length === 0) continue;
      const anchors = fileAnchors(
        possible.map(({ rule }) => [rule, decide(this.#run.rules[rule]!.expression)] as const),
      );
      const indexes = anchors.tables.map((table) => new CandidateIndex(table, this.#run.tables.values));
      routed.add(anchors, indexes, rows);
      size += possible.length;
    }
    const trials = [this.#trials, ...(isPlain ? [this.#trialsOf(id)] : []), routed];
    return new RuleGroup(this.#columns, this.#run.turns, trials, size);
  }

  #trialsOf(eventId: string): Trials {
    let trials = this.#byEventId.get(eventId);
    if (trials === undefined) {
      this.#byEventId.set(eventId, (trials = this.#newTrials()));
      for (const { index, rows } of this.#seeing) {
        const anchors = index.byEventId.get(eventId)?.();
        if (anchors !== undefined) trials.add(anchors, this.#run.indexes(anchors.tables), rows);
      }
    }
    return trials;
  }

  /** No rules yet; they will be compiled as they are, or with what a route decides. */
  #newTrials(decide = (expression: Expression): Expression => expression): Trials {
    return new Trials(this.#columns, this.#run.turns, (rule) => this.#compile(rule, decide));
  }

  /** A rule as any of the rows through which it sees the events. */
  #compile(number: number, decide: (expression: Expression) => Expression): Condition {
    const { tables, memo, rules } = this.#run;
    const rule = rules[number]!;
    const expression = decide(rule.expression);
    const instances = rowsFor(rule.logSource, this.#rows).map((row) => {
      const own = columnsFor(expression, this.#columns, row.mapping);
      const when = conditionOf(row, rule.expression);
      return when === undefined ? own : both(columnsFor(decide(when), this.#columns, undefined), own);
    });
    return compileCondition(either(instances), this.#columns, tables.values, memo);
  }
}

/** The rules that can apply to the events of one route. */
export class RuleGroup {
  /** Rules that were looked at for this route alone, and one for the group itself: what it has cost. */
  readonly size: number;
  readonly #columns: Columns;
  readonly #turns: Turns;
  readonly #trials: readonly Trials[];

  constructor(columns: Columns, turns: Turns, trials: readonly Trials[], size: number) {
    this.size = size;
    this.#columns = columns;
    this.#turns = turns;
    this.#trials = trials.filter((one) => !one.isEmpty);
  }

  /** Calls `matched` with the number of each rule that holds for the event. */
  match(event: LogEvent, matched: (rule: number) => void): void {
    if (this.#trials.length === 0) return;
    this.#columns.begin(event);
    this.#turns.next();
    for (const trials of this.#trials) trials.match(event, matched);
    this.#columns.end();
  }
}

function both(left: Bound, right: Bound): Bound {
  if (left.kind === 'constant') return left.value ? right : left;
  if (right.kind === 'constant') return right.value ? left : right;
  return { kind: 'all', of: [left, right] };
}

function either(parts: readonly Bound[]): Bound {
  const open = parts.filter((part) => part.kind !== 'constant' || part.value);
  if (open.length === 0) return { kind: 'constant', value: false };
  return open.length === 1 ? open[0]! : { kind: 'any', of: open };
}

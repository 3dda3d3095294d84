import type { LogEvent } from '../events/log-event.ts';
import type { Route } from '../events/route.ts';
import type { EventTables } from '../readers/reader.ts';
import type { Expression } from '../sigma/expression.ts';
import type { Rule } from '../sigma/rule.ts';
import { rowsFor, rowsOf, type SourceRow } from '../sigma/source-rows.ts';
import { type AnchorTable, fileAnchors } from './anchor-table.ts';
import { type Bound, Columns, columnsFor, decidedBy } from './bound.ts';
import { CandidateIndex } from './candidates.ts';
import { compileCondition, type Condition } from './conditions.ts';
import type { Memo } from './memo.ts';
import { type IndexedSource, indexOf, type RoutedRule } from './rule-index.ts';
import { Trials, Turns } from './trials.ts';

/** What all views of a run share. */
export class MatchRun {
  readonly rules: readonly Rule[];
  readonly sources: readonly IndexedSource[];
  readonly tables: EventTables;
  readonly memo: Memo;
  readonly turns: Turns;
  readonly #indexes = new Map<AnchorTable, CandidateIndex>();

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
}

/** Rules of one log source of which some ask for what a route decides. */
interface RoutedRules {
  readonly rules: readonly RoutedRule[];
  readonly rows: readonly SourceRow[];
}

/**
 * How rules see the events of routes that are alike but for what they decide: the rules that do not ask
 * for that are found and compiled once for all of them.
 */
export class View {
  /** Rules that the view holds, and one for itself: what building it may cost. */
  readonly size: number;
  readonly #run: MatchRun;
  readonly #rows: readonly SourceRow[];
  readonly #columns: Columns;
  readonly #trials: Trials;
  readonly #routed: RoutedRules[] = [];

  constructor(run: MatchRun, route: Route) {
    this.#run = run;
    this.#rows = rowsOf(route);
    this.#columns = new Columns(route, run.tables.fields);
    this.#trials = new Trials(this.#columns, run.turns, (rule) => this.#compile(rule, (expression) => expression));
    let size = 1;
    for (const indexed of run.sources) {
      const rows = rowsFor(indexed.source, this.#rows);
      if (rows.length === 0) continue;
      const { routed, ...anchors } = indexed.index();
      this.#trials.add(anchors, run.indexes(anchors.tables), rows);
      if (routed.length > 0) this.#routed.push({ rules: routed, rows });
      size += indexed.size - routed.length;
    }
    this.size = size;
  }

  /** The rules for the events of one of its routes. */
  group(route: Route): RuleGroup {
    const decide = (expression: Expression): Expression => decidedBy(route, expression);
    const trials = new Trials(this.#columns, this.#run.turns, (rule) => this.#compile(rule, decide));
    let size = 1;
    for (const { rules, rows } of this.#routed) {
      const possible = rules.filter(({ eventIds }) => mayHave(route, eventIds));
      const anchors = fileAnchors(
        possible.map(({ rule }) => [rule, decide(this.#run.rules[rule]!.expression)] as const),
      );
      const indexes = anchors.tables.map((table) => new CandidateIndex(table, this.#run.tables.values));
      trials.add(anchors, indexes, rows);
      size += possible.length;
    }
    return new RuleGroup(this.#columns, this.#run.turns, [this.#trials, trials], size);
  }

  /** A rule as any of the rows through which it sees the events. */
  #compile(number: number, decide: (expression: Expression) => Expression): Condition {
    const { tables, memo, rules } = this.#run;
    const rule = rules[number]!;
    const expression = decide(rule.expression);
    const instances = rowsFor(rule.logSource, this.#rows).map(({ mapping, when }) => {
      const own = columnsFor(expression, this.#columns, mapping);
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

/** Whether a record of the route may have one of these event ids. */
function mayHave({ fixed }: Route, eventIds: readonly string[] | null): boolean {
  const id = fixed.get('eventid');
  // An id that is written otherwise may be equal to one of them all the same.
  return eventIds === null || id === undefined || !/^(?:0|[1-9]\d*)$/.test(id) || eventIds.includes(id);
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

import type { LogEvent } from '../events/log-event.ts';
import type { Route } from '../events/route.ts';
import { ABSENT, type ValueId, type ValueTable } from '../events/value-table.ts';
import type { EventTables } from '../readers/reader.ts';
import type { Rule } from '../sigma/rule.ts';
import { rowsFor, rowsOf, type SourceRow } from '../sigma/source-rows.ts';
import { anchorOf } from './anchors.ts';
import { bind, Columns, KEYWORDS, type Bound } from './bound.ts';
import { CandidateIndex } from './candidates.ts';
import { compileCondition, type Condition } from './conditions.ts';
import type { IndexedRules } from './indexed-rules.ts';
import type { Memo } from './memo.ts';

interface GroupRule {
  /** Index of the rule in its set. */
  readonly rule: number;
  readonly bound: Bound;
  /** Compiled when an event first makes the rule a candidate: most never are. */
  holds: Condition | null;
}

/**
 * The rules that can apply to the events of one route, indexed by anchor: an event is asked for the
 * few values that anchors look at, and only the rules that those name are evaluated.
 */
export class RuleGroup {
  /** Rules that were bound to the route, and one for the group itself: what building it has cost. */
  readonly bound: number;
  readonly #columns: Columns;
  readonly #rules: GroupRule[] = [];
  readonly #always: number[] = [];
  readonly #indexes: CandidateIndex[];
  readonly #seen: Int32Array;
  readonly #values: ValueTable;
  readonly #memo: Memo;
  #turn = 0;

  constructor(rules: IndexedRules, route: Route, { fields, values }: EventTables, memo: Memo) {
    this.#columns = new Columns(route, fields);
    this.#values = values;
    this.#memo = memo;
    const indexes = new Map<number, CandidateIndex>();
    const routeRows = rowsOf(route);
    let bound = 1;
    for (const { source, numbers } of rules.bySource) {
      const rows = rowsFor(source, routeRows);
      if (rows.length === 0) continue;
      bound += numbers.length;
      for (const number of numbers) this.#add(number, this.#bind(rules.rules[number]!, route, rows), indexes);
    }
    this.bound = bound;
    this.#indexes = [...indexes.values()].map((index) => index.build());
    this.#seen = new Int32Array(this.#rules.length);
  }

  /** Whether no rule can ever apply, so that events of the route need not be looked at. */
  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** Calls `matched` with the number of each rule that holds for the event. */
  match(event: LogEvent, matched: (rule: number) => void): void {
    this.#columns.begin(event);
    const turn = ++this.#turn;
    const consider = (at: number): void => {
      if (this.#seen[at] === turn) return;
      this.#seen[at] = turn;
      const candidate = this.#rules[at]!;
      candidate.holds ??= compileCondition(candidate.bound, this.#columns, this.#values, this.#memo);
      if (candidate.holds()) matched(candidate.rule);
    };
    for (const at of this.#always) consider(at);
    for (const index of this.#indexes) {
      if (index.column === KEYWORDS) {
        event.keywords((value) => {
          for (const at of index.candidates(value)) consider(at);
          return false;
        });
        continue;
      }
      const value: ValueId = this.#columns.value(index.column);
      if (value === ABSENT) continue;
      for (const at of index.candidates(value)) consider(at);
    }
    this.#columns.end();
  }

  #add(rule: number, bound: Bound, indexes: Map<number, CandidateIndex>): void {
    if (bound.kind === 'constant' && !bound.value) return;
    const at = this.#rules.push({ rule, bound, holds: null }) - 1;
    const anchor = anchorOf(bound);
    if (anchor === null) this.#always.push(at);
    for (const atom of anchor ?? []) {
      const index = indexes.get(atom.column) ?? new CandidateIndex(atom.column, this.#values);
      indexes.set(atom.column, index.add(atom, at));
    }
  }

  /** A rule as any of the rows through which it sees the route's events. */
  #bind(rule: Rule, route: Route, rows: readonly SourceRow[]): Bound {
    const instances = rows.map((row) => {
      const own = bind(rule.expression, route, this.#columns, row.mapping);
      return row.when === undefined ? own : both(bind(row.when, route, this.#columns, undefined), own);
    });
    return instances.length === 1 ? instances[0]! : either(instances);
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

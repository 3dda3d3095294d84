import { ABSENT, type ValueId, type ValueTable } from '../events/value-table.ts';
import { KEYWORDS, type Bound, type Columns } from './bound.ts';
import type { Memo, Predicate } from './memo.ts';
import { compilePredicate, onlyColumn } from './predicates.ts';
import { compileValueTest } from './value-tests.ts';

/** Answers for the event that the columns hold. */
export type Condition = () => boolean;

/**
 * Compiles a bound tree. Every maximal subtree over one column becomes one remembered predicate on
 * that column's value; within a list, such parts over the same column are joined first.
 */
export function compileCondition(bound: Bound, columns: Columns, values: ValueTable, memo: Memo): Condition {
  const whole = new Part(bound);
  return () => holds(whole, columns, values, memo);
}

const notMade = 0;
const constant = 1;
const predicate = 2;
const keywords = 3;
const reference = 4;
const negation = 5;
const conjunction = 6;
const disjunction = 7;

/** A part of a condition; made when it is first asked, since most rules fail at one of their first parts. */
class Part {
  readonly bound: Bound;
  kind = notMade;
  value = false;
  column = 0;
  predicate: Predicate | undefined;
  reference: Condition | undefined;
  parts: readonly Part[] = [];

  constructor(bound: Bound) {
    this.bound = bound;
  }

  make(columns: Columns, values: ValueTable, memo: Memo): void {
    const { bound } = this;
    const column = onlyColumn(bound);
    if (column !== null) {
      this.kind = predicate;
      this.column = column;
      this.predicate = memo.predicate(() => compilePredicate(bound));
      return;
    }
    switch (bound.kind) {
      case 'constant':
        this.kind = constant;
        this.value = bound.value;
        return;
      case 'test':
        this.kind = keywords;
        this.predicate = memo.predicate(() => compileValueTest(bound.test));
        return;
      case 'same':
        this.kind = reference;
        this.reference = compileReference(bound, columns, values);
        return;
      case 'not':
        this.kind = negation;
        this.parts = [new Part(bound.of)];
        return;
      default:
        this.kind = bound.kind === 'all' ? conjunction : disjunction;
        this.parts = byCost(joinedByColumn(bound)).map((part) => new Part(part));
    }
  }
}

/** One function for all parts of all rules, so that it is soon fast. */
function holds(part: Part, columns: Columns, values: ValueTable, memo: Memo): boolean {
  if (part.kind === notMade) part.make(columns, values, memo);
  switch (part.kind) {
    case predicate:
      return memo.answer(part.predicate!, columns.value(part.column));
    case conjunction:
      for (const one of part.parts) if (!holds(one, columns, values, memo)) return false;
      return true;
    case disjunction:
      for (const one of part.parts) if (holds(one, columns, values, memo)) return true;
      return false;
    case negation:
      return !holds(part.parts[0]!, columns, values, memo);
    case keywords:
      return columns.event.keywords((id) => memo.answer(part.predicate!, id));
    case reference:
      return part.reference!();
    default:
      return part.value;
  }
}

function joinedByColumn(bound: Extract<Bound, { kind: 'all' | 'any' }>): Bound[] {
  const joined = new Map<number, Bound[]>();
  const others: Bound[] = [];
  for (const part of bound.of) {
    const column = onlyColumn(part);
    if (column === null) others.push(part);
    else joined.set(column, [...(joined.get(column) ?? []), part]);
  }
  const single = [...joined.values()].map((of): Bound => (of.length === 1 ? of[0]! : { kind: bound.kind, of }));
  return [...single, ...others];
}

function byCost(parts: readonly Bound[]): Bound[] {
  return [...parts].sort((a, b) => costOf(a) - costOf(b));
}

function costOf(bound: Bound): number {
  switch (bound.kind) {
    case 'constant':
      return 0;
    case 'same':
      return 4;
    case 'not':
      return costOf(bound.of);
    case 'test':
      if (bound.column === KEYWORDS) return 1000;
      return bound.test.kind === 'regex' ? 100 : 1;
    default:
      return bound.of.reduce((sum, part) => sum + costOf(part), 0);
  }
}

function compileReference(bound: Extract<Bound, { kind: 'same' }>, columns: Columns, values: ValueTable): Condition {
  const { column, other, test } = bound;
  const text = (id: ValueId): string => (test.cased ? values.text(id) : values.folded(id));
  const single = (id: ValueId): readonly ValueId[] => values.items(id) ?? [id];
  return () => {
    const [left, right] = [columns.value(column), columns.value(other)];
    if (left === ABSENT || right === ABSENT) return false;
    return single(left).some((one) => single(right).some((two) => relates(test.mode, text(one), text(two))));
  };
}

function relates(mode: 'equals' | 'contains' | 'startswith' | 'endswith', text: string, part: string): boolean {
  switch (mode) {
    case 'equals':
      return text === part;
    case 'contains':
      return text.includes(part);
    case 'startswith':
      return text.startsWith(part);
    case 'endswith':
      return text.endsWith(part);
  }
}

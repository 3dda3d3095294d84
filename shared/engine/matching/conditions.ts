import type { ValueTable } from '../events/value-table.ts';
import { ABSENT, type ValueId } from '../events/value-id.ts';
import { type Bound, type Columns, list } from './bound.ts';
import type { Memo, Predicate } from './memo.ts';
import { compilePredicate } from './predicates.ts';
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
    if (bound.only !== null) {
      this.kind = predicate;
      this.column = bound.only;
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
        this.parts = joinedByColumn(bound).map((part) => new Part(part));
    }
  }
}

/** One function for all parts of all rules, so that it is soon fast. */
function holds(part: Part, columns: Columns, values: ValueTable, memo: Memo): boolean {
  if (part.kind === notMade) part.make(columns, values, memo);
  const { parts } = part;
  switch (part.kind) {
    case predicate:
      return memo.answer(part.predicate!, columns.value(part.column));
    case conjunction:
      for (let at = 0; at < parts.length; at++) if (!holds(parts[at]!, columns, values, memo)) return false;
      return true;
    case disjunction:
      for (let at = 0; at < parts.length; at++) if (holds(parts[at]!, columns, values, memo)) return true;
      return false;
    case negation:
      return !holds(parts[0]!, columns, values, memo);
    case keywords:
      return standsAnywhere(part.predicate!, columns, memo);
    case reference:
      return part.reference!();
    default:
      return part.value;
  }
}

// Apart, as what is made for it would be made for every part.
function standsAnywhere(asked: Predicate, columns: Columns, memo: Memo): boolean {
  return columns.event.keywords((id) => memo.answer(asked, id));
}

/** Parts over the same column as one, the cheapest first. */
function joinedByColumn({ kind, of }: Extract<Bound, { kind: 'all' | 'any' }>): Bound[] {
  const joined = new Map<number, Bound[]>();
  const others: Bound[] = [];
  for (const part of of) {
    const known = part.only === null ? others : joined.get(part.only);
    if (known === undefined) joined.set(part.only!, [part]);
    else known.push(part);
  }
  const parts: Bound[] = [];
  for (const own of joined.values()) parts.push(own.length === 1 ? own[0]! : list(kind, own));
  return [...parts, ...others].sort((a, b) => a.cost - b.cost);
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

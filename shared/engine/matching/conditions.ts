import { ABSENT, type ValueId, type ValueTable } from '../events/value-table.ts';
import { KEYWORDS, type Bound, type Columns } from './bound.ts';
import type { Memo } from './memo.ts';
import { compilePredicate, onlyColumn } from './predicates.ts';
import { compileValueTest, type ValuePredicate } from './value-tests.ts';

/** Answers for the event that the columns hold. */
export type Condition = () => boolean;

/**
 * Compiles a bound tree. Every maximal subtree over one column becomes one remembered predicate on
 * that column's value; within a list, such parts over the same column are joined first.
 */
export function compileCondition(bound: Bound, columns: Columns, values: ValueTable, memo: Memo): Condition {
  const compile = (part: Bound): Condition => compileCondition(part, columns, values, memo);
  const column = onlyColumn(bound);
  if (column !== null) {
    const holds = memo.remember(lazily(() => compilePredicate(bound)));
    return () => holds(columns.value(column));
  }
  switch (bound.kind) {
    case 'constant':
      return () => bound.value;
    case 'not': {
      const inner = compile(bound.of);
      return () => !inner();
    }
    case 'same':
      return compileReference(bound, columns, values);
    case 'test': {
      const holds = memo.remember(compileValueTest(bound.test));
      return () => columns.event.keywords(holds);
    }
    default: {
      const parts = byCost(joinedByColumn(bound)).map((part) => lazyCondition(() => compile(part)));
      return bound.kind === 'all' ? () => parts.every((part) => part()) : () => parts.some((part) => part());
    }
  }
}

/** Compiled when it is first asked: most rules fail at one of their first parts. */
function lazyCondition(compile: () => Condition): Condition {
  let compiled: Condition | undefined;
  return () => (compiled ??= compile())();
}

function lazily(compile: () => ValuePredicate): ValuePredicate {
  let compiled: ValuePredicate | undefined;
  return (id, values) => (compiled ??= compile())(id, values);
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

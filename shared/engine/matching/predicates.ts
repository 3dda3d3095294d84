import { ABSENT, type ValueId, type ValueTable } from '../events/value-table.ts';
import { ANY, foldPattern } from '../sigma/pattern.ts';
import type { ValueTest } from '../sigma/expression.ts';
import { LiteralIndex } from './literal-index.ts';
import { fileLiterals } from './literal-tables.ts';
import type { Bound } from './bound.ts';
import { compileValueTest, type ValuePredicate } from './value-tests.ts';

const indexFrom = 8;
const stopAtFirst = (): boolean => true;

/** The one column that a tree looks at; null when there are several, keywords or references. */
export function onlyColumn(bound: Bound): number | null {
  switch (bound.kind) {
    case 'constant':
    case 'same':
      return null;
    case 'test':
      return bound.column < 0 ? null : bound.column;
    case 'not':
      return onlyColumn(bound.of);
    default: {
      const [first, ...rest] = bound.of.map(onlyColumn);
      return first !== undefined && rest.every((column) => column === first) ? first : null;
    }
  }
}

/** Compiles a tree over one column into a predicate on its value (detection-engine 4.3.5). */
export function compilePredicate(bound: Bound): ValuePredicate {
  switch (bound.kind) {
    case 'constant':
      return () => bound.value;
    case 'test':
      return compileValueTest(bound.test);
    case 'not': {
      const inner = compilePredicate(bound.of);
      return (id, values) => !inner(id, values);
    }
    case 'all': {
      const parts = bound.of.map(compilePredicate);
      return (id, values) => parts.every((part) => part(id, values));
    }
    case 'any': {
      const parts = alternatives(bound.of);
      return (id, values) => parts.some((part) => part(id, values));
    }
    case 'same':
      throw new Error('a reference to another field is no predicate on one value');
  }
}

/** Many plain `contains` of one list are searched together. */
function alternatives(of: readonly Bound[]): ValuePredicate[] {
  const literals = of.flatMap((part) => (part.kind === 'test' ? (contained(part.test) ?? []) : []));
  if (literals.length < indexFrom) return of.map(compilePredicate);
  const index = new LiteralIndex(fileLiterals(literals));
  const others = of.filter((part) => part.kind !== 'test' || contained(part.test) === null);
  const any = (id: ValueId, values: ValueTable): boolean => index.search(values.folded(id), stopAtFirst);
  return [
    (id, values) => id !== ABSENT && (values.items(id)?.some((item) => any(item, values)) ?? any(id, values)),
    ...others.map(compilePredicate),
  ];
}

/** The literal of a case-insensitive `contains`; null for any other test, and where dashes vary. */
function contained(test: ValueTest): string | null {
  if (test.kind !== 'pattern' || test.cased || test.pieces.length !== 3) return null;
  const [before, literal, after] = foldPattern(test.pieces);
  if (before !== ANY || after !== ANY || typeof literal !== 'string') return null;
  return /[-/\u2013-\u2015\uE000]/.test(literal) ? null : literal;
}

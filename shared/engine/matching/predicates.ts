import type { ValueTable } from '../events/value-table.ts';
import { ABSENT, type ValueId } from '../events/value-id.ts';
import { isAt, type Literal } from '../sigma/pattern.ts';
import { LiteralIndex } from './literal-index.ts';
import { fileLiterals } from './literal-tables.ts';
import type { Bound } from './bound.ts';
import { compileValueTest, foldedLiteral, type ValuePredicate } from './value-tests.ts';

const indexFrom = 8;
const stopAtFirst = (): boolean => true;

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
      // The cheapest first: what one part refuses, no other is asked.
      const parts = bound.of.toSorted((one, other) => one.cost - other.cost).map(compilePredicate);
      return (id, values) => parts.every((part) => part(id, values));
    }
    case 'any':
      return compileAny(bound.of);
    case 'same':
      throw new Error('a reference to another field is no predicate on one value');
  }
}

/** Literals are held against the text one after another; many that it may contain are searched together. */
function compileAny(of: readonly Bound[]): ValuePredicate {
  const searched: string[] = [];
  const literals: Literal[] = [];
  const others: ValuePredicate[] = [];
  for (const part of of) {
    const literal = part.kind === 'test' ? foldedLiteral(part.test) : null;
    if (literal === null) others.push(compilePredicate(part));
    else if (isSearchable(literal)) searched.push(literal.text);
    else literals.push(literal);
  }
  if (searched.length < indexFrom) {
    for (const text of searched) literals.push({ text, head: true, tail: true });
    searched.length = 0;
  }
  const index = searched.length === 0 ? null : new LiteralIndex(fileLiterals(searched));
  const ofText = literals.length === 0 && index === null ? null : new AnyLiteral(literals, index);
  return (id, values) => {
    if (id !== ABSENT && ofText !== null && ofText.standsIn(id, values)) return true;
    for (const other of others) if (other(id, values)) return true;
    return false;
  };
}

/** Whether any of some literals stands in a value, where it should. */
class AnyLiteral {
  readonly #literals: readonly Literal[];
  readonly #index: LiteralIndex | null;

  constructor(literals: readonly Literal[], index: LiteralIndex | null) {
    this.#literals = literals;
    this.#index = index;
  }

  standsIn(id: ValueId, values: ValueTable): boolean {
    const items = values.items(id);
    if (items === undefined) return this.#standsIn(values.folded(id));
    for (const item of items) if (this.#standsIn(values.folded(item))) return true;
    return false;
  }

  #standsIn(text: string): boolean {
    for (const literal of this.#literals) if (isAt(literal, text)) return true;
    return this.#index !== null && this.#index.search(text, stopAtFirst);
  }
}

/** Whether a literal may stand anywhere; a search takes dashes for one character. */
function isSearchable({ text, head, tail }: Literal): boolean {
  return head && tail && text !== '' && !/[-/\u2013-\u2015]/.test(text);
}

import type { ValueTable } from '../events/value-table.ts';
import type { ValueId } from '../events/value-id.ts';
import type { ValuePredicate } from './value-tests.ts';

const slots = 1 << 19;

/** A predicate with a number by which its answers are remembered; compiled when it is first asked. */
export class Predicate {
  readonly number: number;
  readonly salt: number;
  readonly #compile: () => ValuePredicate;
  #compiled: ValuePredicate | undefined;

  constructor(number: number, compile: () => ValuePredicate) {
    this.number = number;
    this.salt = Math.imul(number, 0x9e3779b1);
    this.#compile = compile;
  }

  holds(id: ValueId, values: ValueTable): boolean {
    return (this.#compiled ??= this.#compile())(id, values);
  }
}

/**
 * Remembers what predicates said of values: one direct-mapped table for all of a run, where a newer
 * answer takes the place of an older one. Answers are void with the generation of the values.
 */
export class Memo {
  readonly #values: ValueTable;
  /** Pairs of predicate, and value handle with answer: `id * 2 + answer`. */
  readonly #answers = new Int32Array(slots * 2);
  #count = 0;
  #generation = 0;

  constructor(values: ValueTable) {
    this.#values = values;
  }

  predicate(compile: () => ValuePredicate): Predicate {
    return new Predicate(++this.#count, compile);
  }

  /** Whether the predicate holds for a value. */
  answer(predicate: Predicate, id: ValueId): boolean {
    const values = this.#values;
    if (values.isTransient(id)) return predicate.holds(id, values);
    if (this.#generation !== values.generation) this.#forget();
    const answers = this.#answers;
    const { number } = predicate;
    const slot = (((predicate.salt ^ Math.imul(id, 0x85ebca6b)) >>> 8) & (slots - 1)) << 1;
    const known = answers[slot + 1]!;
    if (answers[slot] === number && known >> 1 === id) return (known & 1) === 1;
    const { undecided } = values;
    const answer = predicate.holds(id, values);
    // Asked each time, so that the count does not depend on what is remembered.
    if (values.undecided !== undecided) return answer;
    answers[slot] = number;
    answers[slot + 1] = id * 2 + (answer ? 1 : 0);
    return answer;
  }

  #forget(): void {
    this.#generation = this.#values.generation;
    this.#answers.fill(0);
  }
}

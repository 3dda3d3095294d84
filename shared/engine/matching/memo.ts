import type { ValueId, ValueTable } from '../events/value-table.ts';
import type { ValuePredicate } from './value-tests.ts';

const slots = 1 << 19;

/**
 * Remembers what predicates said of values: one direct-mapped table for all of a run, where a newer
 * answer takes the place of an older one. Answers are void with the generation of the values.
 */
export class Memo {
  readonly #values: ValueTable;
  readonly #predicates = new Int32Array(slots);
  /** Value handle and answer in one number: `id * 2 + answer`. */
  readonly #answers = new Int32Array(slots);
  #count = 0;
  #generation = 0;

  constructor(values: ValueTable) {
    this.#values = values;
  }

  /** The predicate with its answers remembered. */
  remember(predicate: ValuePredicate): (id: ValueId) => boolean {
    const number = ++this.#count;
    const salt = Math.imul(number, 0x9e3779b1);
    return (id) => {
      const values = this.#values;
      if (values.isTransient(id)) return predicate(id, values);
      if (this.#generation !== values.generation) this.#forget();
      const slot = ((salt ^ Math.imul(id, 0x85ebca6b)) >>> 8) & (slots - 1);
      const known = this.#answers[slot]!;
      if (this.#predicates[slot] === number && known >> 1 === id) return (known & 1) === 1;
      const { undecided } = values;
      const answer = predicate(id, values);
      // Asked each time, so that the count does not depend on what is remembered.
      if (values.undecided !== undecided) return answer;
      this.#predicates[slot] = number;
      this.#answers[slot] = id * 2 + (answer ? 1 : 0);
      return answer;
    };
  }

  #forget(): void {
    this.#generation = this.#values.generation;
    this.#predicates.fill(0);
  }
}

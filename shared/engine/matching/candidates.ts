import type { ValueId, ValueTable } from '../events/value-table.ts';
import type { Atom } from './anchors.ts';
import { LiteralIndex } from './literal-index.ts';

const none: readonly number[] = [];

/** Rules of a group that a value of one column makes worth evaluating; remembered per value. */
export class CandidateIndex {
  readonly column: number;
  readonly #values: ValueTable;
  readonly #parts = new Map<string, number[]>();
  readonly #wholes = new Map<string, number[]>();
  readonly #rulesOf: (readonly number[])[] = [];
  #literals: LiteralIndex | null = null;
  #known: (readonly number[] | undefined)[] = [];
  #generation = -1;

  constructor(column: number, values: ValueTable) {
    this.column = column;
    this.#values = values;
  }

  add({ literal, whole }: Atom, rule: number): this {
    const map = whole ? this.#wholes : this.#parts;
    const rules = map.get(literal);
    if (rules === undefined) map.set(literal, [rule]);
    else if (rules.at(-1) !== rule) rules.push(rule);
    return this;
  }

  build(): this {
    if (this.#parts.size > 0) this.#literals = new LiteralIndex([...this.#parts.keys()]);
    this.#rulesOf.push(...this.#parts.values());
    return this;
  }

  /** Rules of the group whose anchor the value satisfies. */
  candidates(id: ValueId): readonly number[] {
    if (this.#values.isTransient(id)) return this.#look(id);
    if (this.#generation !== this.#values.generation) {
      this.#generation = this.#values.generation;
      this.#known = [];
    }
    return (this.#known[id] ??= this.#look(id));
  }

  #look(id: ValueId): readonly number[] {
    const inBytes = this.#lookAtBytes(id);
    if (inBytes !== undefined) return inBytes;
    const found = new Set<number>();
    for (const item of this.#values.items(id) ?? [id]) this.#collect(this.#values.folded(item), found);
    return found.size === 0 ? none : [...found];
  }

  /** Whole lines of a log are searched without making texts of them; undefined where it takes the text. */
  #lookAtBytes(id: ValueId): readonly number[] | undefined {
    const raw = this.#values.utf8(id);
    if (raw === undefined || this.#literals === null || this.#wholes.size > 0) return undefined;
    const { bytes, offset, byteLength } = raw;
    let rules = none;
    const isAscii = this.#literals.searchAscii(bytes, offset, offset + byteLength, (literal) => {
      rules = rules === none ? this.#rulesOf[literal]! : [...new Set([...rules, ...this.#rulesOf[literal]!])];
      return false;
    });
    return isAscii === undefined ? undefined : rules;
  }

  #collect(text: string, found: Set<number>): void {
    const add = (rules: readonly number[] | undefined): void => {
      if (rules !== undefined) for (const rule of rules) found.add(rule);
    };
    if (this.#wholes.size > 0) {
      add(this.#wholes.get(text));
      if (/^0x[0-9a-f]{1,16}$/.test(text)) add(this.#wholes.get(BigInt(text).toString()));
    }
    this.#literals?.search(text, (literal) => {
      add(this.#rulesOf[literal]);
      return false;
    });
  }
}

/**
 * Finds which of many literals stand anywhere in a text, in one pass over it (Aho and Corasick,
 * 1975), as a full table over classes of UTF-16 code units. Texts and literals are folded alike.
 */
export class Automaton {
  readonly #classes = new Uint16Array(65_536);
  readonly #width: number;
  readonly #table: Int32Array;
  /** Literals that end in a state, own and inherited; undefined for most states. */
  readonly #ends: (readonly number[] | undefined)[];

  /** @param literals non-empty; a literal's number is its index. */
  constructor(literals: readonly string[]) {
    let classes = 1;
    for (const literal of literals) {
      for (let i = 0; i < literal.length; i++) {
        const unit = normal(literal.charCodeAt(i));
        if (this.#classes[unit] === 0) this.#classes[unit] = classes++;
      }
    }
    for (const dash of dashUnits) this.#classes[dash] = this.#classes[DASH_UNIT]!;
    this.#width = classes;
    const states = 1 + literals.reduce((sum, literal) => sum + literal.length, 0);
    const { table, ends } = this.#trie(literals, new Int32Array(states * classes));
    this.#table = table;
    this.#ends = ends;
    this.#link();
  }

  /** Calls `found` with the number of each literal at each place where it ends. */
  search(text: string, found: (literal: number) => void): void {
    const table = this.#table;
    const width = this.#width;
    let state = 0;
    for (let i = 0; i < text.length; i++) {
      state = table[state * width + this.#classes[text.charCodeAt(i)]!]!;
      const ends = this.#ends[state];
      if (ends !== undefined) for (const literal of ends) found(literal);
    }
  }

  /** Whether any literal stands in the text. */
  some(text: string): boolean {
    const table = this.#table;
    const width = this.#width;
    let state = 0;
    for (let i = 0; i < text.length; i++) {
      state = table[state * width + this.#classes[text.charCodeAt(i)]!]!;
      if (this.#ends[state] !== undefined) return true;
    }
    return false;
  }

  #trie(
    literals: readonly string[],
    table: Int32Array,
  ): { table: Int32Array; ends: (readonly number[] | undefined)[] } {
    const ends: number[][] = [[]];
    let last = 0;
    for (const [number, literal] of literals.entries()) {
      let state = 0;
      for (let i = 0; i < literal.length; i++) {
        const at = state * this.#width + this.#classes[normal(literal.charCodeAt(i))]!;
        if (table[at] === 0) {
          table[at] = ++last;
          ends[last] = [];
        }
        state = table[at]!;
      }
      ends[state]!.push(number);
    }
    return {
      table: table.slice(0, (last + 1) * this.#width),
      ends: ends.map((list) => (list.length > 0 ? list : undefined)),
    };
  }

  /** Turns the trie into an automaton, breadth first: every missing edge leads where failing would. */
  #link(): void {
    const width = this.#width;
    const table = this.#table;
    const states = table.length / width;
    const fail = new Int32Array(states);
    const queue = new Int32Array(states);
    let head = 0;
    let tail = 0;
    for (let c = 0; c < width; c++) {
      const next = table[c]!;
      if (next !== 0) queue[tail++] = next;
    }
    while (head < tail) {
      const state = queue[head++]!;
      const back = fail[state]!;
      const inherited = this.#ends[back];
      if (inherited !== undefined) this.#ends[state] = [...(this.#ends[state] ?? []), ...inherited];
      for (let c = 0; c < width; c++) {
        const next = table[state * width + c]!;
        const other = table[back * width + c]!;
        if (next === 0) {
          table[state * width + c] = other;
        } else {
          fail[next] = other;
          queue[tail++] = next;
        }
      }
    }
  }
}

const DASH_UNIT = 0x2d;
/** What a windash literal's dash may be: all one class, so that a candidate is never missed. */
const dashUnits = [0x2f, 0x2013, 0x2014, 0x2015, 0xe000];

function normal(unit: number): number {
  return dashUnits.includes(unit) ? DASH_UNIT : unit;
}

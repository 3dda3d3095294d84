/**
 * Finds which of many literals stand anywhere in a text, in one pass over it (Aho and Corasick,
 * 1975), as a full table over classes of UTF-16 code units. Texts and literals are folded alike.
 */
export class Automaton {
  /** Class of a code unit below 256, and of all others where a literal has one; 0 for foreign ones. */
  readonly #latin = new Uint16Array(256);
  readonly #wide: Uint16Array | null;
  readonly #width: number;
  readonly #table: Int32Array;
  /** Literals that end in a state, own and inherited; undefined for most states. */
  readonly #ends: (readonly number[] | undefined)[];

  /** @param literals non-empty; a literal's number is its index. */
  constructor(literals: readonly string[]) {
    this.#wide = literals.some((literal) => /[\u0100-\uffff]/.test(literal)) ? new Uint16Array(65_536) : null;
    this.#width = this.#classify(literals);
    this.#table = new Int32Array(countStates(literals) * this.#width);
    this.#ends = this.#trie(literals);
    this.#link();
  }

  /** Calls `found` with the number of each literal at each place where it ends. */
  search(text: string, found: (literal: number) => void): void {
    const table = this.#table;
    const width = this.#width;
    let state = 0;
    for (let i = 0; i < text.length; i++) {
      state = table[state * width + this.#class(text.charCodeAt(i))]!;
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
      state = table[state * width + this.#class(text.charCodeAt(i))]!;
      if (this.#ends[state] !== undefined) return true;
    }
    return false;
  }

  #class(unit: number): number {
    if (unit < 256) return this.#latin[unit]!;
    return this.#wide === null ? 0 : this.#wide[unit]!;
  }

  /** Numbers the code units that occur; returns how many classes there are. */
  #classify(literals: readonly string[]): number {
    let classes = 1;
    const give = (unit: number, number: number): void => {
      if (unit < 256) this.#latin[unit] = number;
      else this.#wide![unit] = number;
    };
    for (const literal of literals) {
      for (let i = 0; i < literal.length; i++) {
        const unit = normal(literal.charCodeAt(i));
        if (this.#class(unit) === 0) give(unit, classes++);
      }
    }
    const dash = this.#class(DASH_UNIT);
    for (const unit of dashUnits) if (unit < 256 || this.#wide !== null) give(unit, dash);
    return classes;
  }

  #trie(literals: readonly string[]): (readonly number[] | undefined)[] {
    const table = this.#table;
    const ends: (number[] | undefined)[] = [];
    let last = 0;
    for (const [number, literal] of literals.entries()) {
      let state = 0;
      for (let i = 0; i < literal.length; i++) {
        const at = state * this.#width + this.#class(normal(literal.charCodeAt(i)));
        if (table[at] === 0) table[at] = ++last;
        state = table[at]!;
      }
      (ends[state] ??= []).push(number);
    }
    return ends;
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

/** States of the trie: one per distinct prefix, counted between neighbours in sorted order. */
function countStates(literals: readonly string[]): number {
  const sorted = literals.map((literal) => literal.replace(/[/\u2013-\u2015\uE000]/g, '-')).sort();
  let states = 1;
  let before = '';
  for (const literal of sorted) {
    let common = 0;
    while (common < literal.length && literal[common] === before[common]) common++;
    states += literal.length - common;
    before = literal;
  }
  return states;
}

import { bitsOf, gram, hashOf, type LiteralTables, normal } from './literal-tables.ts';

/** Literals too short to be filed, by their last character. */
interface ShortLiterals {
  /** By character, whether any ends with it. */
  readonly ends: Uint8Array;
  readonly byEnd: ReadonlyMap<number, readonly number[]>;
}

/**
 * Finds which of many literals stand anywhere in a text, in one pass over it: while the text is
 * walked, the last four characters are hashed and looked up, and what is filed there is compared in
 * place. Small enough to stay in the cache. Texts and literals are folded alike; `-`, `/` and the dashes
 * of `windash` count as one character.
 */
export class LiteralIndex {
  readonly #tables: LiteralTables;
  readonly #bits: number;
  readonly #short: ShortLiterals | null;
  /** Turn in which a literal was last found, so that it is told once per text. */
  readonly #seen: Int32Array;
  #turn = 0;

  constructor(tables: LiteralTables) {
    this.#tables = tables;
    this.#bits = bitsOf(tables.heads);
    this.#short = shortOf(tables);
    this.#seen = new Int32Array(tables.next.length);
  }

  /** Calls `found` once with the number of each literal that stands in the text, until it returns true. */
  search(text: string, found: (literal: number) => boolean): boolean {
    const { heads, next, places } = this.#tables;
    const bits = this.#bits;
    const ends = this.#short?.ends;
    const seen = this.#seen;
    const turn = ++this.#turn;
    let last = 0;
    for (let i = 0; i < text.length; i++) {
      const unit = normal(text.charCodeAt(i));
      last = (last << 8) | (unit & 0xff);
      if (ends !== undefined && ends[unit] !== 0) {
        for (const number of this.#short!.byEnd.get(unit)!) {
          if (seen[number] === turn || !this.#standsAt(number, text, i - this.#lengthOf(number) + 1)) continue;
          seen[number] = turn;
          if (found(number)) return true;
        }
      }
      if (i < gram - 1) continue;
      for (let entry = heads[hashOf(last, bits)]!; entry !== 0; entry = next[entry - 1]!) {
        const number = entry - 1;
        if (seen[number] === turn || !this.#standsAt(number, text, i - (gram - 1) - places[number]!)) continue;
        seen[number] = turn;
        if (found(number)) return true;
      }
    }
    return false;
  }

  #lengthOf(number: number): number {
    const { starts } = this.#tables;
    return starts[number + 1]! - starts[number]!;
  }

  #standsAt(number: number, text: string, at: number): boolean {
    const { units, starts } = this.#tables;
    const start = starts[number]!;
    const length = starts[number + 1]! - start;
    if (at < 0 || at + length > text.length) return false;
    for (let i = 0; i < length; i++) {
      const unit = units[start + i]!;
      const other = text.charCodeAt(at + i);
      if (unit !== other && unit !== normal(other)) return false;
    }
    return true;
  }
}

function shortOf({ units, starts }: LiteralTables): ShortLiterals | null {
  const byEnd = new Map<number, number[]>();
  for (let number = 0; number + 1 < starts.length; number++) {
    if (starts[number + 1]! - starts[number]! >= gram) continue;
    const end = units[starts[number + 1]! - 1]!;
    const known = byEnd.get(end);
    if (known === undefined) byEnd.set(end, [number]);
    else known.push(number);
  }
  if (byEnd.size === 0) return null;
  const ends = new Uint8Array(0x10000);
  for (const end of byEnd.keys()) ends[end] = 1;
  return { ends, byEnd };
}

import { type LiteralTables, normal } from './literal-tables.ts';

const DASH = 0x2d;
const SLASH = 0x2f;
const NOT_ASCII = 0xff;
const MULTIPLIER = 0x9e3779b1;
/** Bits that bytes outside ASCII have, and those that make small letters of capital ones (and other signs of some). */
const HIGH_BITS = 0x80808080;
const FOLD_BITS = 0x20202020;
const longestGram = 3;
const longestStride = 4;

/** By byte, the folded character that literals are compared with. */
const units = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x80 ? normal(String.fromCharCode(byte).toLowerCase().charCodeAt(0)) : NOT_ASCII,
);

/**
 * Finds which of some literals stand in bytes of ASCII, of which no text need be made, in steps of up to
 * four bytes: a literal is filed under as many stretches of it, one behind the other, as a step has bytes.
 * Case and dashes count as for `LiteralIndex`.
 */
export class AsciiSearch {
  readonly #tables: LiteralTables;
  readonly #gram: number;
  readonly #stride: number;
  /** The bits of a word of four bytes that belong to the stretch at its beginning. */
  readonly #mask: number;
  readonly #shift: number;
  /** By hash, one more than an entry; by entry, the next one of the hash, its literal, and its place in that. */
  readonly #heads: Int32Array;
  readonly #next: Int32Array;
  readonly #literals: Int32Array;
  readonly #places: Int32Array;
  /** Turn in which a literal was last found, so that it is told once. */
  readonly #seen: Int32Array;
  #turn = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(new ArrayBuffer(0));

  constructor(tables: LiteralTables) {
    this.#tables = tables;
    const { starts } = tables;
    const possible = [...tables.next.keys()].filter((number) => isAscii(tables, number));
    const shortest = Math.min(...possible.map((number) => starts[number + 1]! - starts[number]!));
    this.#gram = Math.min(longestGram, shortest);
    this.#stride = Math.min(longestStride, shortest - this.#gram + 1);
    this.#mask = 0xffffff >>> (8 * (longestGram - this.#gram));
    const entries = possible.flatMap((literal) => this.#entriesOf(literal));
    this.#shift = Math.clz32(Math.max(64, entries.length * 16));
    this.#heads = new Int32Array(2 ** (32 - this.#shift));
    this.#next = new Int32Array(entries.length);
    this.#literals = new Int32Array(entries.length);
    this.#places = new Int32Array(entries.length);
    for (const [entry, { word, literal, place }] of entries.entries()) {
      const hash = this.#hash(word);
      this.#next[entry] = this.#heads[hash]!;
      this.#heads[hash] = entry + 1;
      this.#literals[entry] = literal;
      this.#places[entry] = place;
    }
    this.#seen = new Int32Array(tables.next.length);
  }

  /**
   * Adds the numbers of the literals that stand at [from, to), each once. False where a byte is none of
   * ASCII: it takes the text to tell, and what was added means nothing.
   */
  search(bytes: Uint8Array, from: number, to: number, found: number[]): boolean {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    this.#turn++;
    const view = this.#view;
    const heads = this.#heads;
    const mask = this.#mask;
    const shift = this.#shift;
    const stride = this.#stride;
    let at = from;
    for (const last = to - 4; at <= last; at += stride) {
      const word = view.getInt32(at, true);
      if ((word & HIGH_BITS) !== 0) return false;
      const entry = heads[Math.imul((word | FOLD_BITS) & mask, MULTIPLIER) >>> shift]!;
      if (entry !== 0) this.#compare(entry, bytes, at, from, to, found);
    }
    return this.#searchEnd(bytes, at, from, to, found);
  }

  /** The last bytes, fewer than a word. */
  #searchEnd(bytes: Uint8Array, start: number, from: number, to: number, found: number[]): boolean {
    for (let at = start; at < to; at++) if (units[bytes[at]!] === NOT_ASCII) return false;
    for (let at = start; at + this.#gram <= to; at += this.#stride) {
      const word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
      const entry = this.#heads[this.#hash(word)]!;
      if (entry !== 0) this.#compare(entry, bytes, at, from, to, found);
    }
    return true;
  }

  #compare(first: number, bytes: Uint8Array, at: number, from: number, to: number, found: number[]): void {
    for (let entry = first; entry !== 0; entry = this.#next[entry - 1]!) {
      const literal = this.#literals[entry - 1]!;
      const start = at - this.#places[entry - 1]!;
      if (this.#seen[literal] === this.#turn || !this.#standsAt(literal, bytes, start, from, to)) continue;
      this.#seen[literal] = this.#turn;
      found.push(literal);
    }
  }

  #standsAt(literal: number, bytes: Uint8Array, at: number, from: number, to: number): boolean {
    const { units: characters, starts } = this.#tables;
    const start = starts[literal]!;
    const length = starts[literal + 1]! - start;
    if (at < from || at + length > to) return false;
    for (let i = 0; i < length; i++) if (characters[start + i] !== units[bytes[at + i]!]) return false;
    return true;
  }

  #hash(word: number): number {
    return Math.imul((word | FOLD_BITS) & this.#mask, MULTIPLIER) >>> this.#shift;
  }

  /** The stretches that a literal is filed under; one with a dash stands for one with a slash, too. */
  #entriesOf(literal: number): { word: number; literal: number; place: number }[] {
    const { units: characters, starts } = this.#tables;
    return Array.from({ length: this.#stride }, (_, place) => {
      let words = [0];
      for (let i = 0; i < this.#gram; i++) {
        const unit = characters[starts[literal]! + place + i]!;
        const spellings = unit === DASH ? [DASH, SLASH] : [unit];
        words = words.flatMap((word) => spellings.map((one) => word | (one << (8 * i))));
      }
      return words.map((word) => ({ word, literal, place }));
    }).flat();
  }
}

function isAscii({ units: characters, starts }: LiteralTables, literal: number): boolean {
  return characters.subarray(starts[literal], starts[literal + 1]).every((unit) => unit < 0x80);
}

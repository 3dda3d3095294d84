/** Characters of a literal that are looked up together. */
const gram = 4;
const DASH = 0x2d;

const NOT_ASCII = 0xff;
/** By byte, the folded character that texts are searched for. */
const asciiUnits = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x80 ? normal(String.fromCharCode(byte).toLowerCase().charCodeAt(0)) : NOT_ASCII,
);

/**
 * Finds which of many literals stand anywhere in a text, in one pass over it. Each literal is filed
 * under four of its characters; while the text is walked, the last four characters are hashed and
 * looked up, and what is filed there is compared in place. Built in time linear in the number of
 * literals, unlike an automaton, and small enough to stay in the cache. Texts and literals are folded
 * alike; `-`, `/` and the dashes of `windash` count as one character, so that none is missed.
 */
export class LiteralIndex {
  readonly #literals: readonly string[];
  /** First entry of a hash, 0 for none; entries are linked by `#next`. */
  readonly #heads: Int32Array;
  readonly #next: Int32Array;
  /** Where in its literal the filed characters begin. */
  readonly #places: Int32Array;
  /** Literals too short to be filed. */
  readonly #short: number[] = [];
  readonly #shift: number;
  /** Turn in which a literal was last found, so that it is compared once per text. */
  readonly #seen: Int32Array;
  #turn = 0;

  /** @param literals non-empty; a literal's number is its index. */
  constructor(literals: readonly string[]) {
    this.#literals = literals;
    // The sparser the table, the fewer comparisons in vain; small ones can afford it.
    const sparsity = literals.length < 2048 ? 32 : 4;
    const bits = Math.max(6, Math.ceil(Math.log2(literals.length * sparsity + 1)));
    this.#shift = 32 - bits;
    this.#heads = new Int32Array(1 << bits);
    this.#next = new Int32Array(literals.length + 1);
    this.#places = new Int32Array(literals.length + 1);
    this.#seen = new Int32Array(literals.length + 1);
    const load = new Uint16Array(1 << bits);
    for (const [number, literal] of literals.entries()) {
      if (literal.length < gram) this.#short.push(number);
      else this.#file(number, literal, load);
    }
  }

  /** Calls `found` once with the number of each literal that stands in the text, until it returns true. */
  search(text: string, found: (literal: number) => boolean): boolean {
    for (const number of this.#short) {
      if (standsIn(this.#literals[number]!, text) && found(number)) return true;
    }
    const heads = this.#heads;
    const shift = this.#shift;
    const turn = ++this.#turn;
    let last = 0;
    for (let i = 0; i < text.length; i++) {
      last = (last << 8) | (normal(text.charCodeAt(i)) & 0xff);
      if (i < gram - 1) continue;
      for (let entry = heads[Math.imul(last, 0x9e3779b1) >>> shift]!; entry !== 0; entry = this.#next[entry]!) {
        if (this.#seen[entry] === turn) continue;
        if (!standsAt(this.#literals[entry - 1]!, text, i - (gram - 1) - this.#places[entry]!)) continue;
        this.#seen[entry] = turn;
        if (found(entry - 1)) return true;
      }
    }
    return false;
  }

  /**
   * The same over bytes of ASCII not yet folded, of which no text need be made. Undefined, after some
   * may have been found, where a byte is none of ASCII: it takes the text to tell.
   */
  searchAscii(bytes: Uint8Array, from: number, to: number, found: (literal: number) => boolean): boolean | undefined {
    const heads = this.#heads;
    const shift = this.#shift;
    const turn = ++this.#turn;
    let last = 0;
    for (let at = from; at < to; at++) {
      const unit = asciiUnits[bytes[at]!]!;
      if (unit === NOT_ASCII) return undefined;
      last = (last << 8) | unit;
      for (let entry = heads[Math.imul(last, 0x9e3779b1) >>> shift]!; entry !== 0; entry = this.#next[entry]!) {
        if (this.#seen[entry] === turn) continue;
        const start = at - (gram - 1) - this.#places[entry]!;
        if (start < from || !standsInBytes(this.#literals[entry - 1]!, bytes, start, to)) continue;
        this.#seen[entry] = turn;
        if (found(entry - 1)) return true;
      }
    }
    return this.#short.some((number) => {
      const literal = this.#literals[number]!;
      const first = normal(literal.charCodeAt(0));
      for (let at = from; at < to; at++) {
        if (asciiUnits[bytes[at]!] === first && standsInBytes(literal, bytes, at, to)) return found(number);
      }
      return false;
    });
  }

  /** Files a literal under those of its characters that fewest others are filed under. */
  #file(number: number, literal: string, load: Uint16Array): void {
    let best = 0;
    let place = 0;
    let least = Number.POSITIVE_INFINITY;
    let last = 0;
    for (let i = 0; i < literal.length; i++) {
      last = (last << 8) | (normal(literal.charCodeAt(i)) & 0xff);
      if (i < gram - 1) continue;
      const hash = Math.imul(last, 0x9e3779b1) >>> this.#shift;
      if (load[hash]! > least || (load[hash] === least && i !== literal.length - 1)) continue;
      [best, place, least] = [hash, i - (gram - 1), load[hash]!];
    }
    load[best]!++;
    this.#next[number + 1] = this.#heads[best]!;
    this.#heads[best] = number + 1;
    this.#places[number + 1] = place;
  }
}

function standsInBytes(literal: string, bytes: Uint8Array, at: number, to: number): boolean {
  if (at + literal.length > to) return false;
  for (let i = 0; i < literal.length; i++) {
    if (normal(literal.charCodeAt(i)) !== asciiUnits[bytes[at + i]!]) return false;
  }
  return true;
}

function normal(unit: number): number {
  if (unit === 0x2f) return DASH;
  return unit > 0x2012 && (unit <= 0x2015 || unit === 0xe000) ? DASH : unit;
}

function standsAt(literal: string, text: string, at: number): boolean {
  if (at < 0 || at + literal.length > text.length) return false;
  for (let i = 0; i < literal.length; i++) {
    const unit = literal.charCodeAt(i);
    const other = text.charCodeAt(at + i);
    if (unit !== other && normal(unit) !== normal(other)) return false;
  }
  return true;
}

function standsIn(literal: string, text: string): boolean {
  if (!/[-/\u2013-\u2015\ue000]/.test(literal)) return text.includes(literal);
  for (let at = 0; at + literal.length <= text.length; at++) if (standsAt(literal, text, at)) return true;
  return false;
}

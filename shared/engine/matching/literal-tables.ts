/** Characters of a literal that are looked up together. */
export const gram = 4;
const DASH = 0x2d;

/** Literals filed for a search, as plain numbers that can be written down. A literal's number is its index. */
export interface LiteralTables {
  /** Characters of all literals, one literal after another, dashes made one. */
  readonly units: Uint16Array;
  /** Where each literal's characters begin, and where the last one's end. */
  readonly starts: Int32Array;
  /** By hash of the filed characters, one more than a literal's number; 0 for none. As many as a power of two. */
  readonly heads: Int32Array;
  /** By literal, the next one of the same hash, likewise. */
  readonly next: Int32Array;
  /** By literal, where in it the filed characters begin. */
  readonly places: Int32Array;
}

/** Bits of a hash of so many entries. */
export function bitsOf(heads: Int32Array): number {
  return 31 - Math.clz32(heads.length);
}

/** Hash of the last `gram` characters' lower bytes, packed into one number. */
export function hashOf(packed: number, bits: number): number {
  return Math.imul(packed, 0x9e3779b1) >>> (32 - bits);
}

/** `-`, `/` and the dashes of `windash` are one character, so that none is missed. */
export function normal(unit: number): number {
  if (unit === 0x2f) return DASH;
  return unit > 0x2012 && (unit <= 0x2015 || unit === 0xe000) ? DASH : unit;
}

/**
 * Files literals, non-empty and folded, each under those four of its characters that fewest others are
 * filed under. Takes time linear in the number of literals, unlike an automaton. Those that are shorter
 * are left to the search.
 */
export function fileLiterals(literals: readonly string[]): LiteralTables {
  const starts = new Int32Array(literals.length + 1);
  for (const [number, literal] of literals.entries()) starts[number + 1] = starts[number]! + literal.length;
  const units = new Uint16Array(starts[literals.length]!);
  for (const [number, literal] of literals.entries()) {
    const start = starts[number]!;
    for (let i = 0; i < literal.length; i++) units[start + i] = normal(literal.charCodeAt(i));
  }
  // The sparser the table, the fewer comparisons in vain; small ones can afford it.
  const sparsity = literals.length < 2048 ? 32 : 4;
  const bits = Math.max(6, Math.ceil(Math.log2(literals.length * sparsity + 1)));
  const heads = new Int32Array(1 << bits);
  const next = new Int32Array(literals.length);
  const places = new Int32Array(literals.length);
  const load = new Uint16Array(1 << bits);
  for (let number = 0; number < literals.length; number++) {
    const start = starts[number]!;
    const length = starts[number + 1]! - start;
    if (length < gram) continue;
    let best = 0;
    let place = 0;
    let least = Number.POSITIVE_INFINITY;
    let last = 0;
    for (let i = 0; i < length; i++) {
      last = (last << 8) | (units[start + i]! & 0xff);
      if (i < gram - 1) continue;
      const hash = hashOf(last, bits);
      if (load[hash]! > least || (load[hash] === least && i !== length - 1)) continue;
      [best, place, least] = [hash, i - (gram - 1), load[hash]!];
    }
    load[best]!++;
    next[number] = heads[best]!;
    heads[best] = number + 1;
    places[number] = place;
  }
  return { units, starts, heads, next, places };
}

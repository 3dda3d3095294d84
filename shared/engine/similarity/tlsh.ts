import { longestOfClass, pearson } from './tlsh-tables.ts';

/** Less content says too little. */
const leastBytes = 50;
/** Buckets that become the digest, two bits each; the others only spread the hashes. */
const codeBuckets = 128;
/** Three of every five bytes in a row, in six ways, each with its own buckets. */
const triples = 6;

/** Made when it is needed: many load this file, and few digest. */
let counter: ReturnType<typeof tripleCounter> | undefined;

/**
 * The TLSH digest of content that comes in pieces (J. Oliver et al., "TLSH – A Locality Sensitive Hash", 2013; 128 buckets,
 * checksum of one byte), in the form of TLSH 4 and later: `T1` and 70 hex digits.
 */
export class TlshHasher {
  readonly #counts = new Float64Array(triples * 256);
  readonly #window = new Uint8Array(4);
  #checksum = 0;
  #bytes = 0;

  update(bytes: Uint8Array): this {
    const { length } = bytes;
    if (length === 0) return this;
    // The first four bytes hash nothing by themselves.
    const joined = new Uint8Array(Math.min(this.#bytes, 4) + Math.min(length, 4));
    const before = joined.length - Math.min(length, 4);
    joined.set(this.#window.subarray(4 - before));
    joined.set(bytes.subarray(0, 4), before);
    const { counts, count } = (counter ??= tripleCounter());
    counts.fill(0);
    this.#checksum = count(joined, this.#checksum);
    if (length > 4) this.#checksum = count(bytes, this.#checksum);
    for (const [at, events] of counts.entries()) this.#counts[at]! += events;
    const tail = length >= 4 ? bytes : joined;
    const kept = tail.subarray(-4);
    this.#window.set(kept, 4 - kept.length);
    this.#bytes += length;
    return this;
  }

  /** Null when the content is too small, or has too little variety, to be told from other content. */
  digest(): string | null {
    if (this.#bytes < leastBytes) return null;
    const buckets = this.#buckets();
    if (buckets.filter((bucket) => bucket > 0).length <= codeBuckets / 2) return null;
    const sorted = buckets.toSorted();
    const [q1, q2, q3] = [31, 63, 95].map((place) => sorted[place]!) as [number, number, number];
    if (q3 === 0) return null;
    const length = longestOfClass.findIndex((longest) => this.#bytes <= longest) & 255;
    const ratio = (quartile: number): number => Math.floor((quartile * 100) / q3) % 16;
    const code = new Uint8Array(codeBuckets / 4);
    for (const [place, bucket] of buckets.entries()) {
      const level = bucket > q3 ? 3 : bucket > q2 ? 2 : bucket > q1 ? 1 : 0;
      // The last four buckets come first.
      code[code.length - 1 - (place >> 2)]! |= level << (2 * (place & 3));
    }
    return `T1${swapped(this.#checksum)}${swapped(length)}${hex(ratio(q1), 1)}${hex(ratio(q2), 1)}${[...code].map((byte) => hex(byte, 2)).join('')}`;
  }

  #buckets(): Float64Array {
    const buckets = new Float64Array(codeBuckets);
    for (const [at, events] of this.#counts.entries()) {
      const bucket = pearson[at & 255]!;
      if (bucket < codeBuckets) buckets[bucket]! += events;
    }
    return buckets;
  }
}

/**
 * A hash of three bytes is p[p[p[salt ^ a] ^ b] ^ c], `a` the newest byte. What a pair yields is looked up for several
 * salts at once, and the outermost step, a permutation, is left to the end, where it permutes the buckets. Tables and
 * counts are constants of this closure, so that the compiler leaves out checks of their bounds: a third of the time.
 */
function tripleCounter() {
  const last = pearson;
  const counts = new Uint32Array(triples * 256);
  const pairs1 = new Uint32Array(65_536);
  const pairs2 = new Uint16Array(65_536);
  const pairs3 = new Uint8Array(65_536);
  for (let pair = 0; pair < 65_536; pair++) {
    const hash = (salt: number): number => last[last[salt ^ (pair >> 8)]! ^ (pair & 255)]!;
    pairs1[pair] = hash(49) | (hash(12) << 8) | (hash(84) << 16) | (hash(1) << 24);
    pairs2[pair] = hash(178) | (hash(166) << 8);
    pairs3[pair] = hash(230);
  }

  /** Counts the triples that end at each byte from the fifth on; returns the checksum with them. */
  function count(bytes: Uint8Array, before: number): number {
    let checksum = before;
    let d = bytes[0]!;
    let c = bytes[1]!;
    let b = bytes[2]!;
    let a = bytes[3]!;
    const { length } = bytes;
    for (let i = 4; i < length; i++) {
      const byte = bytes[i]!;
      const first = byte << 8;
      const one = pairs1[(first | a) & 65_535]!;
      const two = pairs2[(first | b) & 65_535]!;
      const three = pairs3[(first | c) & 65_535]!;
      checksum = last[((one >>> 24) ^ checksum) & 255]!;
      counts[(one ^ b) & 255]!++;
      counts[256 + (((one >> 8) ^ c) & 255)]!++;
      counts[512 + (((one >> 16) ^ d) & 255)]!++;
      counts[768 + ((two ^ c) & 255)]!++;
      counts[1024 + (((two >> 8) ^ d) & 255)]!++;
      counts[1280 + ((three ^ d) & 255)]!++;
      d = c;
      c = b;
      b = a;
      a = byte;
    }
    return checksum;
  }
  return { counts, count };
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}

/** A byte with its low half first, as the head of a digest has it. */
function swapped(byte: number): string {
  return hex(byte & 15, 1) + hex(byte >> 4, 1);
}

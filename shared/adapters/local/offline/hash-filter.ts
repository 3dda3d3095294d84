/** Bits for each hash, and how many of them it sets: some 2 of 100,000 that are not in it seem to be. */
const [bitsPerHash, probes] = [23, 12] as const;

/**
 * A Bloom filter over digests: 2.9 bytes each. Digests are as good as random, so that parts of them are the hashes that a
 * filter needs.
 */
export class HashFilter {
  readonly bytes: Uint8Array;
  readonly #bits: number;

  /** Of one that was made before, its bytes. */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#bits = bytes.length * 8;
  }

  static for(hashes: number): HashFilter {
    return new HashFilter(new Uint8Array(Math.max(1, Math.ceil((hashes * bitsPerHash) / 8))));
  }

  add(digest: Uint8Array): void {
    let bit = this.#first(digest);
    const step = this.#step(digest);
    for (let probe = 0; probe < probes; probe += 1) {
      this.bytes[bit >>> 3]! |= 1 << (bit & 7);
      bit = (bit + step) % this.#bits;
    }
  }

  /** Whether it may be in it; false for certain. */
  mayHave(digest: Uint8Array): boolean {
    let bit = this.#first(digest);
    const step = this.#step(digest);
    for (let probe = 0; probe < probes; probe += 1) {
      if ((this.bytes[bit >>> 3]! & (1 << (bit & 7))) === 0) return false;
      bit = (bit + step) % this.#bits;
    }
    return true;
  }

  #first(digest: Uint8Array): number {
    return (word(digest, 4) + word(digest, 8)) % this.#bits;
  }

  #step(digest: Uint8Array): number {
    return 1 + (word(digest, 12) % (this.#bits - 1 || 1));
  }
}

function word(digest: Uint8Array, at: number): number {
  return ((digest[at]! << 24) | (digest[at + 1]! << 16) | (digest[at + 2]! << 8) | digest[at + 3]!) >>> 0;
}

import { decodeUtf8 } from '../../events/utf8.ts';
import { decodeJsonString } from './json-text.ts';

/** Number of a key in a {@link KeyTable}. */
export type KeyId = number;

/** What values that have no key go by. */
export const NO_KEY: KeyId = 0;

const MULTIPLIER = 0x2c1b3c6d;
const guesses = 4096;
const mostKeys = 32 * 1024;
const mostBytes = 2 * 1024 * 1024;
/** A key is told from others by so many of its bytes. */
const longestKey = 4096;
/** Slots looked at for a key: made to collide, some go by several numbers, which does no harm. */
const mostProbes = 64;

/**
 * Numbers of the keys met in JSON, by their bytes as they stand there. Records of one kind have the
 * same keys in the same order, so the key that followed the last two is tried before any search.
 */
export class KeyTable {
  /** Changes whenever all numbers become void. */
  generation = 0;
  #slots = new Int32Array(1 << 11);
  #hashes = new Int32Array(1 << 10);
  #starts = new Int32Array(1 << 10);
  #lengths = new Int32Array(1 << 10);
  #arena = new Uint8Array(1 << 14);
  #used = 0;
  #count = 1;
  readonly #names: (string | undefined)[] = [];
  readonly #next = new Int32Array(guesses);
  #guess = 0;
  #last: KeyId = NO_KEY;

  /** To be called before each record: bounds the table. */
  begin(): void {
    if (this.#count > mostKeys || this.#used > mostBytes) this.#clear();
    this.#guess = 0;
    this.#last = NO_KEY;
  }

  /**
   * Length of the key that is expected to begin at `at`, which `take` then numbers; -1 when another
   * one does.
   */
  expected(bytes: Uint8Array, at: number, quote: number): number {
    const key = this.#next[this.#guess]!;
    if (key === NO_KEY) return -1;
    const length = this.#lengths[key]!;
    if (at + length >= bytes.length || bytes[at + length] !== quote) return -1;
    const arena = this.#arena;
    const start = this.#starts[key]!;
    for (let i = 0; i < length; i++) if (arena[start + i] !== bytes[at + i]) return -1;
    return length;
  }

  /** Number of the key that `expected` has told. */
  take(): KeyId {
    return this.#follow(this.#next[this.#guess]!);
  }

  /** Number of the key at [start, end). */
  find(bytes: Uint8Array, start: number, end: number): KeyId {
    const key = this.#search(bytes, start, Math.min(end - start, longestKey));
    this.#next[this.#guess] = key;
    return this.#follow(key);
  }

  /** The key without escapes. */
  name(key: KeyId): string {
    return (this.#names[key] ??= nameAt(this.#arena, this.#starts[key]!, this.#lengths[key]!));
  }

  #follow(key: KeyId): KeyId {
    this.#guess = (Math.imul(this.#last, 0x9e5) + key) & (guesses - 1);
    this.#last = key;
    return key;
  }

  #search(bytes: Uint8Array, start: number, length: number): KeyId {
    let hash = length;
    for (let i = 0; i < length; i++) hash = Math.imul(hash ^ bytes[start + i]!, MULTIPLIER);
    hash ^= hash >>> 15;
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let probe = 0; probe < mostProbes; probe++) {
      const slot = (hash + probe) & mask;
      const key = slots[slot]!;
      if (key === NO_KEY) return this.#add(bytes, start, length, hash, slot);
      if (this.#hashes[key] === hash && this.#isSame(key, bytes, start, length)) return key;
    }
    return this.#add(bytes, start, length, hash, hash & mask);
  }

  #isSame(key: KeyId, bytes: Uint8Array, start: number, length: number): boolean {
    if (this.#lengths[key] !== length) return false;
    const from = this.#starts[key]!;
    for (let i = 0; i < length; i++) if (this.#arena[from + i] !== bytes[start + i]) return false;
    return true;
  }

  #add(bytes: Uint8Array, start: number, length: number, hash: number, slot: number): KeyId {
    const key = this.#count++;
    if (key === this.#starts.length) this.#growKeys();
    while (this.#used + length > this.#arena.length)
      this.#arena = doubled(this.#arena, new Uint8Array(this.#arena.length * 2));
    this.#arena.set(bytes.subarray(start, start + length), this.#used);
    this.#starts[key] = this.#used;
    this.#lengths[key] = length;
    this.#hashes[key] = hash;
    this.#used += length;
    this.#slots[slot] = key;
    if (this.#count * 2 > this.#slots.length) this.#growSlots();
    return key;
  }

  #growKeys(): void {
    const size = this.#starts.length * 2;
    this.#starts = doubled(this.#starts, new Int32Array(size));
    this.#lengths = doubled(this.#lengths, new Int32Array(size));
    this.#hashes = doubled(this.#hashes, new Int32Array(size));
  }

  #growSlots(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let key = 1; key < this.#count; key++) {
      const hash = this.#hashes[key]!;
      let probe = 0;
      while (probe < mostProbes && this.#slots[(hash + probe) & mask] !== NO_KEY) probe++;
      this.#slots[(hash + probe) & mask] = key;
    }
  }

  #clear(): void {
    this.generation++;
    this.#slots.fill(NO_KEY);
    this.#next.fill(NO_KEY);
    this.#names.length = 0;
    this.#used = 0;
    this.#count = 1;
  }
}

function nameAt(bytes: Uint8Array, start: number, length: number): string {
  const text = decodeUtf8(bytes, start, length);
  // A key of which only the beginning is kept may be cut within an escape.
  return text.includes('\\') && length < longestKey ? decodeJsonString(bytes, start, length) : text;
}

function doubled<A extends Uint8Array | Int32Array>(array: A, larger: A): A {
  larger.set(array);
  return larger;
}

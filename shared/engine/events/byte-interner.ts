import type { ValueId } from './value-id.ts';

/** Makes the text of a value's bytes. */
export type Decode = (bytes: Uint8Array, offset: number, byteLength: number) => string;

/** A value as it stands in a log. */
export interface RawValue {
  readonly kind: number;
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly byteLength: number;
}

/** The UTF-8 of a value's text, where it takes no text to tell. */
export type ToUtf8 = (raw: RawValue) => RawValue | undefined;

const MULTIPLIER = 0x2c1b3c6d;
const KIND_SHIFT = 16;
const NO_BYTES = -1;

/**
 * Byte strings of at most 65,535 bytes kept once: an open-addressed hash table over copies in an
 * arena. The same bytes read by another decoder are another value. Handles are given by the caller,
 * in rising order from 1.
 */
export class ByteInterner {
  readonly #decoders: Decode[] = [];
  /** Pairs of handle and hash. */
  #slots = new Int32Array(1 << 13);
  #used = 0;
  /** By handle, pairs of place in the arena, and length with decoder. */
  #places = new Int32Array(1 << 11);
  #arena = new Uint8Array(1 << 16);
  #arenaView = new DataView(this.#arena.buffer);
  #arenaUsed = 0;
  #source: Uint8Array = this.#arena;
  #view: DataView = this.#arenaView;
  #missHash = 0;
  #missSlot = 0;

  /** Bytes held, not counting what the table itself takes. */
  get byteLength(): number {
    return this.#arenaUsed;
  }

  /** Number of a decoder, the same for the same function. */
  kind(decode: Decode): number {
    const known = this.#decoders.indexOf(decode);
    return known >= 0 ? known : this.#decoders.push(decode) - 1;
  }

  /**
   * Handle of these bytes; 0 when they are new, in which case `add` may follow.
   * @param guess a handle that is looked at before all others.
   */
  find(kind: number, bytes: Uint8Array, offset: number, byteLength: number, guess = 0): ValueId {
    if (bytes !== this.#source) {
      this.#source = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    const code = byteLength | (kind << KIND_SHIFT);
    if (guess !== 0 && this.#equal(guess, code, offset, byteLength)) return guess;
    const hash = this.#hash(code, offset, byteLength);
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (hash << 1) & mask;
    for (;;) {
      const id = slots[slot]!;
      if (id === 0) break;
      if (slots[slot + 1] === hash && this.#equal(id, code, offset, byteLength)) return id;
      slot = (slot + 2) & mask;
    }
    this.#missHash = hash;
    this.#missSlot = slot;
    return 0;
  }

  /** Keeps the bytes that the last `find` did not know. */
  add(id: ValueId, kind: number, offset: number, byteLength: number): void {
    const start = this.#store(offset, byteLength);
    this.#place(id, start, byteLength | (kind << KIND_SHIFT));
    this.#slots[this.#missSlot] = id;
    this.#slots[this.#missSlot + 1] = this.#missHash;
    if (++this.#used * 4 > this.#slots.length) this.#growSlots();
  }

  /** Tells that a handle is that of no bytes. */
  skip(id: ValueId): void {
    this.#place(id, 0, NO_BYTES);
  }

  /** The bytes of a value, if the decoder of `kind` reads them; they may move when more are kept. */
  raw(kind: number, id: ValueId): RawValue | undefined {
    const code = this.#places[id * 2 + 1]!;
    if (code >> KIND_SHIFT !== kind) return undefined;
    return { kind, bytes: this.#arena, offset: this.#places[id * 2]!, byteLength: code & 0xffff };
  }

  text(id: ValueId): string {
    const code = this.#places[id * 2 + 1]!;
    return this.decode(code >> KIND_SHIFT, this.#arena, this.#places[id * 2]!, code & 0xffff);
  }

  decode(kind: number, bytes: Uint8Array, offset: number, byteLength: number): string {
    return this.#decoders[kind]!(bytes, offset, byteLength);
  }

  clear(): void {
    this.#slots.fill(0);
    this.#used = 0;
    this.#arenaUsed = 0;
  }

  /** Two words at a time, in two states that do not wait for each other. */
  #hash(code: number, offset: number, byteLength: number): number {
    const view = this.#view;
    const end = offset + byteLength;
    let first = Math.imul(code, MULTIPLIER);
    let second = byteLength;
    let at = offset;
    for (const pairs = end - 8; at <= pairs; at += 8) {
      first = Math.imul(first ^ view.getInt32(at, true), MULTIPLIER);
      second = Math.imul(second ^ view.getInt32(at + 4, true), MULTIPLIER);
      first ^= first >>> 15;
      second ^= second >>> 15;
    }
    if (at + 4 <= end) {
      second = Math.imul(second ^ view.getInt32(at, true), MULTIPLIER);
      second ^= second >>> 15;
      at += 4;
    }
    for (; at < end; at++) first = Math.imul(first ^ view.getUint8(at), MULTIPLIER);
    const hash = Math.imul(first ^ (first >>> 13) ^ Math.imul(second, 5), MULTIPLIER);
    return hash ^ (hash >>> 16);
  }

  #equal(id: ValueId, code: number, offset: number, byteLength: number): boolean {
    if (this.#places[id * 2 + 1] !== code) return false;
    const view = this.#view;
    const arena = this.#arenaView;
    const start = this.#places[id * 2]!;
    const whole = byteLength & ~3;
    let i = 0;
    for (; i < whole; i += 4) if (arena.getInt32(start + i, true) !== view.getInt32(offset + i, true)) return false;
    for (; i < byteLength; i++) if (arena.getUint8(start + i) !== view.getUint8(offset + i)) return false;
    return true;
  }

  #store(offset: number, byteLength: number): number {
    const start = this.#arenaUsed;
    this.#arenaUsed = start + ((byteLength + 3) & ~3);
    if (this.#arenaUsed > this.#arena.length) this.#growArena();
    const view = this.#view;
    const arena = this.#arenaView;
    const whole = byteLength & ~3;
    let i = 0;
    for (; i < whole; i += 4) arena.setInt32(start + i, view.getInt32(offset + i, true), true);
    for (; i < byteLength; i++) arena.setUint8(start + i, view.getUint8(offset + i));
    return start;
  }

  #place(id: ValueId, start: number, code: number): void {
    if (id * 2 + 1 >= this.#places.length) {
      const larger = new Int32Array(Math.max(this.#places.length * 2, id * 2 + 2));
      larger.set(this.#places);
      this.#places = larger;
    }
    this.#places[id * 2] = start;
    this.#places[id * 2 + 1] = code;
  }

  #growArena(): void {
    const larger = new Uint8Array(Math.max(this.#arena.length * 2, this.#arenaUsed));
    larger.set(this.#arena);
    this.#arena = larger;
    this.#arenaView = new DataView(larger.buffer);
  }

  #growSlots(): void {
    const old = this.#slots;
    const slots = new Int32Array(old.length * 2);
    const mask = slots.length - 1;
    for (let from = 0; from < old.length; from += 2) {
      if (old[from] === 0) continue;
      let slot = (old[from + 1]! << 1) & mask;
      while (slots[slot] !== 0) slot = (slot + 2) & mask;
      slots[slot] = old[from]!;
      slots[slot + 1] = old[from + 1]!;
    }
    this.#slots = slots;
  }
}

import type { ValueId } from './value-table.ts';

/** Makes the text of a value's bytes. */
export type Decode = (bytes: Uint8Array, offset: number, byteLength: number) => string;

const MULTIPLIER = 0x2c1b3c6d;

/**
 * Byte strings kept once: an open-addressed hash table over copies in an arena. The same bytes read
 * by another decoder are another value. Handles are given by the caller, in rising order.
 */
export class ByteInterner {
  readonly #decoders: Decode[] = [];
  #slots = new Int32Array(1 << 12);
  #used = 0;
  #starts = new Int32Array(1024);
  #lengths = new Int32Array(1024);
  #hashes = new Int32Array(1024);
  #kinds = new Uint8Array(1024);
  #arenaBytes = new Uint8Array(1 << 16);
  #arena = new DataView(this.#arenaBytes.buffer);
  #arenaUsed = 0;
  #source: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(this.#source.buffer);
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

  /** Handle of these bytes; 0 when they are new, in which case `add` may follow. */
  find(kind: number, bytes: Uint8Array, offset: number, byteLength: number): ValueId {
    if (bytes !== this.#source) {
      this.#source = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    const hash = this.#hash(kind, offset, byteLength);
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const id = slots[slot]!;
      if (id === 0) break;
      if (this.#hashes[id] === hash && this.#equal(id, kind, offset, byteLength)) return id;
      slot = (slot + 1) & mask;
    }
    this.#missHash = hash;
    this.#missSlot = slot;
    return 0;
  }

  /** Keeps the bytes that the last `find` did not know. */
  add(id: ValueId, kind: number, offset: number, byteLength: number): void {
    while (id >= this.#starts.length) this.#growHandles();
    this.#starts[id] = this.#store(offset, byteLength);
    this.#lengths[id] = byteLength;
    this.#hashes[id] = this.#missHash;
    this.#kinds[id] = kind;
    this.#slots[this.#missSlot] = id;
    if (++this.#used * 2 > this.#slots.length) this.#growSlots();
  }

  text(id: ValueId): string {
    return this.decode(this.#kinds[id]!, this.#arenaBytes, this.#starts[id]!, this.#lengths[id]!);
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
  #hash(kind: number, offset: number, byteLength: number): number {
    const view = this.#view;
    const end = offset + byteLength;
    let first = Math.imul(byteLength ^ (kind << 24), MULTIPLIER);
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

  #equal(id: ValueId, kind: number, offset: number, byteLength: number): boolean {
    if (this.#lengths[id] !== byteLength || this.#kinds[id] !== kind) return false;
    const view = this.#view;
    const arena = this.#arena;
    const start = this.#starts[id]!;
    const whole = byteLength & ~3;
    let i = 0;
    for (; i < whole; i += 4) if (arena.getInt32(start + i, true) !== view.getInt32(offset + i, true)) return false;
    for (; i < byteLength; i++) if (arena.getUint8(start + i) !== view.getUint8(offset + i)) return false;
    return true;
  }

  #store(offset: number, byteLength: number): number {
    const start = this.#arenaUsed;
    this.#arenaUsed = start + ((byteLength + 3) & ~3);
    if (this.#arenaUsed > this.#arena.byteLength) this.#growArena();
    const view = this.#view;
    const arena = this.#arena;
    const whole = byteLength & ~3;
    let i = 0;
    for (; i < whole; i += 4) arena.setInt32(start + i, view.getInt32(offset + i, true), true);
    for (; i < byteLength; i++) arena.setUint8(start + i, view.getUint8(offset + i));
    return start;
  }

  #growArena(): void {
    const larger = new Uint8Array(Math.max(this.#arenaBytes.length * 2, this.#arenaUsed));
    larger.set(this.#arenaBytes);
    this.#arenaBytes = larger;
    this.#arena = new DataView(larger.buffer);
  }

  #growHandles(): void {
    this.#starts = grown(this.#starts);
    this.#lengths = grown(this.#lengths);
    this.#hashes = grown(this.#hashes);
    const kinds = new Uint8Array(this.#kinds.length * 2);
    kinds.set(this.#kinds);
    this.#kinds = kinds;
  }

  #growSlots(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (const id of this.#slots) {
      if (id === 0) continue;
      let slot = this.#hashes[id]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.#slots = slots;
  }
}

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}

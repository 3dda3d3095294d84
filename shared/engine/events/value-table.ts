/** Handle of a value in a {@link ValueTable}. Small, comparable only within one generation. */
export type ValueId = number;

/** The event has no such field. */
export const ABSENT: ValueId = 0;
/** The field stands there without a value: JSON null, an empty XML element. */
export const NULL: ValueId = 1;
/** The field stands there with the empty text. */
export const EMPTY: ValueId = 2;

const FIRST_FREE = 3;
const TRANSIENT = 0x4000_0000;
const LONGEST_INTERNED_BYTES = 8192;

/**
 * Values of the records being read, each kept once (detection-engine 4.3.3). A reader puts in raw
 * bytes or text and gets a handle; a matcher memoises by handle, and text is only made when asked
 * for. The table is bounded: when full, `nextRecord` starts a new generation, in which all older
 * handles are void. Values too long to be worth keeping get a handle for one record only.
 */
export class ValueTable {
  /** Changes whenever all handles become void; whoever memoises by handle compares it. */
  generation = 0;

  readonly #budget: number;
  readonly #strings = new Map<string, ValueId>();
  readonly #lists = new Map<ValueId, readonly ValueId[]>();
  readonly #transient: string[] = [];
  readonly #transientFolded: (string | undefined)[] = [];
  readonly #transientLists = new Map<ValueId, readonly ValueId[]>();
  #texts: (string | undefined)[] = [];
  #folded: (string | undefined)[] = [];
  #starts = new Int32Array(1024);
  #lengths = new Int32Array(1024);
  #next = FIRST_FREE;
  #arena = new Uint8Array(1 << 16);
  #arenaUsed = 0;
  #stringBytes = 0;
  #slots = new Int32Array(1 << 12);
  #used = 0;

  /** @param budget bytes that interned values may take before a new generation starts. */
  constructor(budget = 64 * 1024 * 1024) {
    this.#budget = budget;
    this.#clear();
  }

  /** One past the largest handle that can be memoised; grows with the table. */
  get size(): number {
    return this.#next;
  }

  /** To be called by readers before each record: frees short-lived handles, bounds the table. */
  nextRecord(): void {
    if (this.#transient.length > 0) {
      this.#transient.length = 0;
      this.#transientFolded.length = 0;
      this.#transientLists.clear();
    }
    if (this.#arenaUsed + this.#stringBytes > this.#budget) {
      this.generation++;
      this.#clear();
    }
  }

  /** Whether the handle is good for this record only, so that nothing may be memoised by it. */
  isTransient(id: ValueId): boolean {
    return id >= TRANSIENT;
  }

  /** Handle of a text. */
  intern(text: string): ValueId {
    if (text.length === 0) return EMPTY;
    if (text.length * 2 > LONGEST_INTERNED_BYTES) return this.#addTransient(text);
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    const id = this.#add(text);
    this.#strings.set(text, id);
    this.#stringBytes += 64 + text.length * 2;
    return id;
  }

  /**
   * Handle of `byteLength` bytes of UTF-16LE at `offset`. Makes no string unless the value is long.
   * The same characters given here and to `intern` may have two handles.
   */
  internUtf16(bytes: Uint8Array, offset: number, byteLength: number): ValueId {
    if (byteLength <= 0) return EMPTY;
    if (byteLength > LONGEST_INTERNED_BYTES) {
      return this.#addTransient(decodeUtf16(bytes, offset, byteLength));
    }
    const end = offset + byteLength;
    let hash = byteLength | 0;
    for (let i = offset; i < end; i += 2) {
      hash = Math.imul(hash ^ (bytes[i]! | (bytes[i + 1]! << 8)), 0x01000193);
      hash ^= hash >>> 15;
    }
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const id = this.#slots[slot]!;
      if (id === 0) break;
      if (this.#lengths[id] === byteLength && this.#same(id, bytes, offset, byteLength)) return id;
      slot = (slot + 1) & mask;
    }
    const id = this.#add(undefined);
    this.#lengths[id] = byteLength;
    this.#starts[id] = this.#store(bytes, offset, byteLength);
    this.#slots[slot] = id;
    if (++this.#used * 2 > this.#slots.length) this.#rehash();
    return id;
  }

  /** Handle of several values of one field, in order. */
  list(items: readonly ValueId[]): ValueId {
    if (items.some((id) => id >= TRANSIENT)) {
      const id = this.#addTransient('');
      this.#transientLists.set(id, items);
      return id;
    }
    const key = `\u0000list ${items.join(' ')}`;
    const known = this.#strings.get(key);
    if (known !== undefined) return known;
    const id = this.#add('');
    this.#strings.set(key, id);
    this.#lists.set(id, items);
    this.#stringBytes += 96 + items.length * 16;
    return id;
  }

  /** The values behind a `list` handle; undefined for a single value. */
  items(id: ValueId): readonly ValueId[] | undefined {
    return id >= TRANSIENT ? this.#transientLists.get(id) : this.#lists.get(id);
  }

  /** The text of a single value; empty for ABSENT, NULL and lists. */
  text(id: ValueId): string {
    if (id >= TRANSIENT) return this.#transient[id - TRANSIENT] ?? '';
    const known = this.#texts[id];
    if (known !== undefined) return known;
    const text = decodeUtf16(this.#arena, this.#starts[id]!, this.#lengths[id]!);
    this.#texts[id] = text;
    this.#stringBytes += 48 + text.length;
    return text;
  }

  /** The text folded for comparison (detection-engine 1.3.1); as long as the text itself. */
  folded(id: ValueId): string {
    if (id >= TRANSIENT) {
      const at = id - TRANSIENT;
      return (this.#transientFolded[at] ??= fold(this.#transient[at] ?? ''));
    }
    const known = this.#folded[id];
    if (known !== undefined) return known;
    const text = fold(this.text(id));
    this.#folded[id] = text;
    this.#stringBytes += 48 + text.length;
    return text;
  }

  #addTransient(text: string): ValueId {
    this.#transient.push(text);
    return TRANSIENT + this.#transient.length - 1;
  }

  #add(text: string | undefined): ValueId {
    const id = this.#next++;
    if (id >= this.#starts.length) {
      this.#starts = grown(this.#starts);
      this.#lengths = grown(this.#lengths);
    }
    this.#lengths[id] = -1;
    this.#texts[id] = text;
    this.#folded[id] = undefined;
    return id;
  }

  #store(bytes: Uint8Array, offset: number, length: number): number {
    const start = this.#arenaUsed;
    if (start + length > this.#arena.length) {
      const larger = new Uint8Array(Math.max(this.#arena.length * 2, start + length));
      larger.set(this.#arena.subarray(0, start));
      this.#arena = larger;
    }
    const arena = this.#arena;
    for (let i = 0; i < length; i++) arena[start + i] = bytes[offset + i] as number;
    this.#arenaUsed = start + length;
    return start;
  }

  #same(id: ValueId, bytes: Uint8Array, offset: number, length: number): boolean {
    const arena = this.#arena;
    const start = this.#starts[id]!;
    for (let i = 0; i < length; i++) if (arena[start + i] !== bytes[offset + i]) return false;
    return true;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (const id of this.#slots) {
      if (id === 0) continue;
      const length = this.#lengths[id]!;
      const start = this.#starts[id]!;
      let hash = length | 0;
      for (let i = start; i < start + length; i += 2) {
        const unit = this.#arena[i]! | (this.#arena[i + 1]! << 8);
        hash = Math.imul(hash ^ unit, 0x01000193);
        hash ^= hash >>> 15;
      }
      let slot = hash & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.#slots = slots;
  }

  #clear(): void {
    this.#strings.clear();
    this.#lists.clear();
    this.#texts = ['', '', ''];
    this.#folded = ['', '', ''];
    this.#next = FIRST_FREE;
    this.#arenaUsed = 0;
    this.#stringBytes = 0;
    this.#slots.fill(0);
    this.#used = 0;
  }
}

/** Simple one-to-one case folding: lengths never change, `ß` and `İ` stay (detection-engine 1.3.1). */
export function fold(text: string): string {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return foldUnicode(text);
  return text.toLowerCase();
}

function foldUnicode(text: string): string {
  let out = '';
  for (const point of text) {
    const upper = point.toUpperCase();
    const lower = upper.length === point.length ? upper.toLowerCase() : point;
    out += lower.length === point.length ? lower : point;
  }
  return out;
}

function decodeUtf16(bytes: Uint8Array, offset: number, byteLength: number): string {
  const units = byteLength >> 1;
  let out = '';
  for (let from = 0; from < units; from += 4096) {
    const count = Math.min(4096, units - from);
    const piece = new Uint16Array(count);
    for (let i = 0, at = offset + from * 2; i < count; i++, at += 2) {
      piece[i] = bytes[at]! | (bytes[at + 1]! << 8);
    }
    out += String.fromCharCode(...piece);
  }
  return out;
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}

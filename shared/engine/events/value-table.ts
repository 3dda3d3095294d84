import { ByteInterner, type Decode, type RawValue, type ToUtf8 } from './byte-interner.ts';
import { decodeUtf16, narrowed } from './utf16.ts';
import { decodeUtf8 } from './utf8.ts';
import { ABSENT, EMPTY, type ValueId } from './value-id.ts';

const FIRST_FREE = 3;
const TRANSIENT = 0x4000_0000;
const LONGEST_INTERNED_BYTES = 8192;
/** Folded texts that are held for a while without being kept; a power of two. */
const MOST_PASSING = 256;
/** What the arrays here and one memo of a user take per handle, roughly. */
const BYTES_PER_HANDLE = 64;

/**
 * Values of the records being read, each kept once (detection-engine 4.3.3). A reader puts in raw
 * bytes or text and gets a handle; a matcher memoises by handle, and text is only made when asked
 * for. The table is bounded: when full, `nextRecord` starts a new generation, in which all older
 * handles are void. Values too long to be worth keeping get a handle for one record only.
 */
export class ValueTable {
  /** Changes whenever all handles become void; whoever memoises by handle compares it. */
  generation = 0;
  /** Values that some test could not decide within its bounds, so that it said no; counted by the tests. */
  undecided = 0;

  readonly #budget: number;
  readonly #bytes = new ByteInterner();
  /** By kind, what gives the UTF-8 of a value that is something else. */
  readonly #toUtf8 = new Map<number, ToUtf8>();
  readonly #utf16 = this.kind(decodeUtf16, narrowed);
  readonly #utf8 = this.#bytes.kind(decodeUtf8);
  readonly #strings = new Map<string, ValueId>();
  readonly #listIds = new Map<string, ValueId>();
  readonly #lists = new Map<ValueId, readonly ValueId[]>();
  /** How many of the next two belong to this record; what lies beyond waits to be overwritten. */
  #transients = 0;
  readonly #transient: (string | RawValue)[] = [];
  /** Raw values of the first of them, used again and again: there is one for each line of many logs. */
  readonly #raws: { -readonly [Key in keyof RawValue]: RawValue[Key] }[] = [];
  readonly #transientFolded: (string | undefined)[] = [];
  readonly #transientLists = new Map<ValueId, readonly ValueId[]>();
  #texts: (string | undefined)[] = ['', '', ''];
  #folded: (string | undefined)[] = ['', '', ''];
  /** By the last bits of their handles, values that `foldedInPassing` was last asked for, and their texts. */
  readonly #passing = new Int32Array(MOST_PASSING);
  readonly #passingFolded: string[] = [];
  #next = FIRST_FREE;
  #stringBytes = 0;

  /** @param budget bytes that interned values may take before a new generation starts. */
  constructor(budget = 64 * 1024 * 1024) {
    this.#budget = budget;
  }

  /** One past the largest handle that can be memoised; grows with the table. */
  get size(): number {
    return this.#next;
  }

  /** To be called by readers before each record: frees short-lived handles, bounds the table. */
  nextRecord(): void {
    this.#transients = 0;
    if (this.#transientLists.size > 0) this.#transientLists.clear();
    if (this.#bytes.byteLength + this.#stringBytes + this.#next * BYTES_PER_HANDLE > this.#budget) this.clear();
  }

  /** Forgets all values: handles are void. Only to be called between records. */
  clear(): void {
    this.generation++;
    this.#strings.clear();
    this.#listIds.clear();
    this.#lists.clear();
    this.#bytes.clear();
    this.#texts = ['', '', ''];
    this.#folded = ['', '', ''];
    this.#passing.fill(0);
    this.#next = FIRST_FREE;
    this.#stringBytes = 0;
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
    const id = this.#addText(text);
    this.#strings.set(text, id);
    this.#stringBytes += 64 + text.length * 2;
    return id;
  }

  /**
   * Handle of `byteLength` bytes of UTF-16LE at `offset`; the text ends at the first NUL. Makes no
   * string unless the value is long. The same characters given here and to `intern` may have two handles.
   * @param guess a handle of this generation that these bytes may have; right ones save a search.
   */
  internUtf16(bytes: Uint8Array, offset: number, byteLength: number, guess: ValueId = ABSENT): ValueId {
    if (byteLength < 2 || (bytes[offset] === 0 && bytes[offset + 1] === 0)) return EMPTY;
    return this.internBytes(this.#utf16, bytes, offset, byteLength, guess);
  }

  /**
   * Number of a way to read raw values, for `internBytes`; the same for the same function.
   * @param toUtf8 gives the bytes of the text that `decode` makes; they need be good only until its next call.
   */
  kind(decode: Decode, toUtf8?: ToUtf8): number {
    const kind = this.#bytes.kind(decode);
    if (toUtf8 !== undefined) this.#toUtf8.set(kind, toUtf8);
    return kind;
  }

  /**
   * Handle of a raw value that the decoder of `kind` makes text of, if anybody asks; so a value
   * that is not a string costs no string either. The caller keeps empty values out.
   * @param guess as for `internUtf16`.
   */
  internBytes(kind: number, bytes: Uint8Array, offset: number, byteLength: number, guess: ValueId = ABSENT): ValueId {
    if (byteLength > LONGEST_INTERNED_BYTES) return this.once(kind, bytes, offset, byteLength);
    const known = this.#bytes.find(kind, bytes, offset, byteLength, guess);
    if (known !== 0) return known;
    const id = this.#add();
    this.#bytes.add(id, kind, offset, byteLength);
    return id;
  }

  /**
   * Handle for this record only, of a raw value that is not worth keeping: long, or hardly ever the
   * same again, as times are. The bytes must not change until the next record.
   */
  once(kind: number, bytes: Uint8Array, offset: number, byteLength: number): ValueId {
    const raw = (this.#raws[this.#transients] ??= { kind, bytes, offset, byteLength });
    raw.kind = kind;
    raw.bytes = bytes;
    raw.offset = offset;
    raw.byteLength = byteLength;
    return this.#addTransient(raw);
  }

  /** Handle of several values of one field, in order. */
  list(items: readonly ValueId[]): ValueId {
    if (items.some((id) => id >= TRANSIENT)) {
      const id = this.#addTransient('');
      this.#transientLists.set(id, items);
      return id;
    }
    const key = items.join(' ');
    const known = this.#listIds.get(key);
    if (known !== undefined) return known;
    const id = this.#addText('');
    this.#listIds.set(key, id);
    this.#lists.set(id, items);
    this.#stringBytes += 96 + items.length * 16;
    return id;
  }

  /** The values behind a `list` handle; undefined for a single value. */
  items(id: ValueId): readonly ValueId[] | undefined {
    if (id >= TRANSIENT) return this.#transientLists.get(id);
    // Lists have no text, and hardly any other value has none: that is sooner seen than looked up.
    return this.#texts[id] === '' ? this.#lists.get(id) : undefined;
  }

  /** The bytes of a value that is UTF-8 of which no text has been made; undefined for others. */
  utf8(id: ValueId): RawValue | undefined {
    return this.#raw(this.#utf8, id);
  }

  /**
   * The UTF-8 of a value that is something else, of which no text has been made: of UTF-16 that is nothing beyond
   * ASCII, and of kinds that tell; undefined for others. The bytes are good until the next call.
   */
  inUtf8(id: ValueId): RawValue | undefined {
    for (const [kind, toUtf8] of this.#toUtf8) {
      const raw = this.#raw(kind, id);
      if (raw !== undefined) return toUtf8(raw);
    }
    return undefined;
  }

  /** The text of a single value; empty for ABSENT, NULL and lists. */
  text(id: ValueId): string {
    if (id >= TRANSIENT) return this.#transientText(id - TRANSIENT);
    const known = this.#texts[id];
    if (known !== undefined) return known;
    const text = this.#bytes.text(id);
    this.#texts[id] = text;
    this.#stringBytes += 48 + text.length;
    return text;
  }

  /** The text folded for comparison (detection-engine 1.3.1); as long as the text itself. */
  folded(id: ValueId): string {
    if (id >= TRANSIENT) {
      const at = id - TRANSIENT;
      return (this.#transientFolded[at] ??= fold(this.#transientText(at)));
    }
    const known = this.#folded[id];
    if (known !== undefined) return known;
    const text = fold(this.text(id));
    this.#folded[id] = text;
    this.#stringBytes += 48 + text.length;
    return text;
  }

  /** As `folded`, for who remembers what came of it: the text is soon made room of for others. */
  foldedInPassing(id: ValueId): string {
    if (id >= TRANSIENT) return this.folded(id);
    const known = this.#folded[id];
    if (known !== undefined) return known;
    const at = id & (MOST_PASSING - 1);
    if (this.#passing[at] === id) return this.#passingFolded[at]!;
    const text = fold(this.#texts[id] ?? this.#bytes.text(id));
    this.#passing[at] = id;
    this.#passingFolded[at] = text;
    return text;
  }

  /** The bytes of a value of that kind of which no text has been made. */
  #raw(kind: number, id: ValueId): RawValue | undefined {
    if (id < TRANSIENT) return this.#texts[id] === undefined ? this.#bytes.raw(kind, id) : undefined;
    const value = this.#transient[id - TRANSIENT];
    return typeof value === 'object' && value.kind === kind ? value : undefined;
  }

  #addTransient(value: string | RawValue): ValueId {
    const at = this.#transients++;
    this.#transient[at] = value;
    this.#transientFolded[at] = undefined;
    return TRANSIENT + at;
  }

  #transientText(at: number): string {
    const value = at < this.#transients ? this.#transient[at]! : '';
    if (typeof value === 'string') return value;
    const text = this.#bytes.decode(value.kind, value.bytes, value.offset, value.byteLength);
    this.#transient[at] = text;
    return text;
  }

  #add(text?: string): ValueId {
    const id = this.#next++;
    this.#texts[id] = text;
    this.#folded[id] = undefined;
    return id;
  }

  #addText(text: string): ValueId {
    const id = this.#add(text);
    this.#bytes.skip(id);
    return id;
  }
}

/** Simple one-to-one case folding: lengths never change, `ß` and `İ` stay (detection-engine 1.3.1). */
export function fold(text: string): string {
  return isAscii(text) ? text.toLowerCase() : foldUnicode(text);
}

/** Whether no character lies beyond ASCII. */
export function isAscii(text: string): boolean {
  return !beyondAscii.test(text);
}

const beyondAscii = /[^\0-\x7f]/;

/** Capital letters of ASCII, and each other character that has a case. */
const cased = /[A-Z]+|(?![\0-\x7f])\p{CWCM}/gu;
/** By character: there are some three thousand. */
const foldedPoints = new Map<string, string>();

function foldUnicode(text: string): string {
  return text.replace(cased, (found) => {
    if (found <= '\x7f') return found.toLowerCase();
    let folded = foldedPoints.get(found);
    if (folded === undefined) foldedPoints.set(found, (folded = foldPoint(found)));
    return folded;
  });
}

function foldPoint(point: string): string {
  const upper = point.toUpperCase();
  const lower = upper.length === point.length ? upper.toLowerCase() : point;
  return lower.length === point.length ? lower : point;
}

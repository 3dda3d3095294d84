import { KeyTable, NO_KEY } from './key-table.ts';

/** What stands at a place of the scan, as far as it tells records of one kind from others. */
export const entry = { object: 0, array: 1, close: 2, scalar: 3 } as const;
export type Entry = (typeof entry)[keyof typeof entry];

/** How the value at a place is written. */
export const written = {
  plain: 0,
  escaped: 1,
  integer: 2,
  number: 3,
  true: 4,
  false: 5,
  empty: 6,
  null: 7,
  container: 8,
} as const;
export type Written = (typeof written)[keyof typeof written];

/** Values of a record beyond these are left out. */
export const mostEntries = 128 * 1024;
const deepest = 1024;
const entryBits = 2;
const LEFT_OUT = -1;
const FAILED = -1;
const MULTIPLIER = 0x2c1b3c6d;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const BRACKET_OPEN = 0x5b;
const BACKSLASH = 0x5c;
const EXPONENT = 0x65;
const BRACE_OPEN = 0x7b;
/** The codes of a pair of brackets differ by two. */
const PAIR = 2;

const TRUE = ascii('true');
const FALSE = ascii('false');
const NULL = ascii('null');
/** Bytes that a string cannot hold as they are: its quote, the backslash and control characters. */
const isSpecial = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < SPACE || byte === QUOTE || byte === BACKSLASH ? 1 : 0,
);
const isEscape = tableOf('"\\/bfnrt');
const isHex = tableOf('0123456789abcdefABCDEF');
const UNICODE_ESCAPE = 0x75;

/** Whether the list under a key that is all its object has before it is not part of the record. */
export type IsWrapper = (key: string) => boolean;

/**
 * One pass over the bytes of a JSON object that notes where its keys and values stand and makes
 * nothing of them (detection-engine 4.3.2). Entries are in document order; that of an object or array
 * is followed by those in it and a closing one. The object is used for one record after another.
 */
export class JsonScan {
  readonly keys = new KeyTable();
  bytes: Uint8Array = new Uint8Array(0);
  start = 0;
  /** Behind the closing brace. */
  end = 0;
  /** Begin of the line that the record ends on, where that is within the record; else -1. */
  lineStart = -1;
  /** Number of entries. */
  count = 0;
  /** By entry, its key and its {@link Entry}: what records of one kind have in common. */
  codes = new Int32Array(256);
  /** By entry, where its text begins and ends; that of a string is between its quotes. */
  starts = new Int32Array(256);
  ends = new Int32Array(256);
  /** By entry, its {@link Written}. */
  writing = new Uint8Array(256);
  /** Of all codes. */
  hash = 0;
  /** Whether the record has more values than are kept. */
  isCut = false;
  /** Where set, whoever looks at a value notes its entry: the ones looked at, and those only told from empty ones. */
  asked: { readonly values: Set<number>; readonly fillings: Set<number> } | undefined;
  readonly #isWrapper: IsWrapper | undefined;
  readonly #open = new Int32Array(deepest);
  readonly #brackets = new Uint8Array(deepest);
  #depth = 0;
  #key = NO_KEY;
  #column = 0;
  #isAtValue = true;
  #hasEscape = false;

  constructor(isWrapper?: IsWrapper) {
    this.#isWrapper = isWrapper;
  }

  /**
   * Scans the object whose brace is at `start`; false when it is not well-formed, does not end within
   * the bytes, or is a wrapper.
   * @param column of the brace in its line: one on a line of its own that is no deeper begins a record.
   */
  scan(bytes: Uint8Array, start: number, column = -1): boolean {
    this.keys.begin();
    this.bytes = bytes;
    this.start = start;
    this.lineStart = -1;
    this.count = 0;
    this.hash = 0;
    this.isCut = false;
    this.#depth = 0;
    this.#key = NO_KEY;
    this.#column = column;
    this.#isAtValue = true;
    let at = start;
    do at = this.#isAtValue ? this.#value(at) : this.#afterValue(at);
    while (at >= 0 && this.#depth > 0);
    this.end = at;
    return at >= 0;
  }

  entry(at: number): Entry {
    return (this.codes[at]! & ((1 << entryBits) - 1)) as Entry;
  }

  /** Key of an entry, without escapes. */
  name(at: number): string {
    return this.keys.name(this.codes[at]! >> entryBits);
  }

  /** Reads the value at `at`, or of an object or array the bracket; returns the place behind, or FAILED. */
  #value(at: number): number {
    const byte = this.bytes[at];
    if (byte === QUOTE) return this.#string(at + 1);
    if (byte === BRACE_OPEN || byte === BRACKET_OPEN) return this.#opening(at, byte);
    return byte === MINUS || (byte! >= ZERO && byte! <= NINE) ? this.#number(at) : this.#literal(at, byte);
  }

  /** From behind a value over a comma to the next one, or over a closing bracket. */
  #afterValue(from: number): number {
    const at = this.#blanks(from);
    const byte = this.bytes[at];
    const bracket = this.#brackets[this.#depth - 1]!;
    if (byte === bracket + PAIR) return this.#closing(at);
    return byte === COMMA ? this.#toValue(this.#blanks(at + 1), bracket) : FAILED;
  }

  /** To the value of the member or element at `at`. */
  #toValue(at: number, bracket: number): number {
    this.#isAtValue = true;
    if (bracket === BRACE_OPEN) return this.#throughKey(at);
    this.#key = NO_KEY;
    return at;
  }

  #opening(at: number, bracket: number): number {
    if (this.#depth === deepest) return FAILED;
    const first = this.#blanks(at + 1);
    const byte = this.bytes[first];
    if (byte === BRACE_OPEN && this.#opensWrapped(bracket)) return FAILED;
    if (bracket === BRACE_OPEN && this.#beginsRecord(at)) return FAILED;
    this.#brackets[this.#depth] = bracket;
    this.#open[this.#depth++] = this.#add(
      bracket === BRACE_OPEN ? entry.object : entry.array,
      at,
      0,
      written.container,
    );
    return byte === bracket + PAIR ? this.#closing(first) : this.#toValue(first, bracket);
  }

  #closing(at: number): number {
    const open = this.#open[--this.#depth]!;
    this.#isAtValue = false;
    if (open === LEFT_OUT) return at + 1;
    this.ends[open] = at + 1;
    this.#push((NO_KEY << entryBits) | entry.close, at, at + 1, written.container);
    return at + 1;
  }

  /** Whether a brace stands where the one of a next record would. */
  #beginsRecord(at: number): boolean {
    if (this.lineStart < 0 || this.#column < 0 || at - this.lineStart > this.#column) return false;
    for (let i = this.lineStart; i < at; i++) if (this.bytes[i]! > SPACE) return false;
    return true;
  }

  /** Whether an array of objects is about to open that its object only wraps. */
  #opensWrapped(bracket: number): boolean {
    if (this.#isWrapper === undefined || this.#depth !== 1 || bracket !== BRACKET_OPEN) return false;
    if (!this.#isWrapper(this.keys.name(this.#key))) return false;
    for (let i = 1; i < this.count; i++) {
      if (this.entry(i) <= entry.array && this.entry(i + 1) !== entry.close) return false;
    }
    return true;
  }

  #throughKey(at: number): number {
    const { bytes, keys } = this;
    if (bytes[at] !== QUOTE) return FAILED;
    const length = keys.expected(bytes, at + 1, QUOTE);
    let behind = at + 2 + length;
    if (length >= 0) {
      this.#key = keys.take();
    } else {
      const end = this.#stringEnd(at + 1);
      if (end < 0) return FAILED;
      // What is not kept needs no number either.
      this.#key = this.isCut ? NO_KEY : keys.find(bytes, at + 1, end);
      behind = end + 1;
    }
    const colon = this.#blanks(behind);
    return bytes[colon] === COLON ? this.#blanks(colon + 1) : FAILED;
  }

  #string(start: number): number {
    const end = this.#stringEnd(start);
    if (end < 0) return FAILED;
    const writing = this.#hasEscape ? written.escaped : written.plain;
    this.#scalar(start, end, end === start ? written.empty : writing);
    return end + 1;
  }

  /** Place of the quote that ends a string; FAILED where it is not well-formed. */
  #stringEnd(start: number): number {
    const { bytes } = this;
    const limit = bytes.length;
    this.#hasEscape = false;
    let at = start;
    for (;;) {
      while (at < limit && isSpecial[bytes[at]!] === 0) at++;
      if (at >= limit) return FAILED;
      const byte = bytes[at];
      if (byte === QUOTE) return at;
      if (byte !== BACKSLASH) return FAILED;
      this.#hasEscape = true;
      at = this.#throughEscape(at + 1);
      if (at < 0) return FAILED;
    }
  }

  #throughEscape(at: number): number {
    const byte = this.bytes[at]!;
    if (byte !== UNICODE_ESCAPE) return isEscape[byte] === 1 ? at + 1 : FAILED;
    for (let i = at + 1; i < at + 5; i++) if (isHex[this.bytes[i]!] !== 1) return FAILED;
    return at + 5;
  }

  #number(start: number): number {
    const { bytes } = this;
    const first = bytes[start] === MINUS ? start + 1 : start;
    let at = this.#digits(first);
    // No zero stands before other digits.
    if (at === first || (bytes[first] === ZERO && at > first + 1)) return FAILED;
    let writing: Written = bytes[first] === ZERO && first > start ? written.number : written.integer;
    if (bytes[at] === POINT) {
      const fraction = at + 1;
      writing = written.number;
      at = this.#digits(fraction);
      if (at === fraction) return FAILED;
    }
    if ((bytes[at]! | 0x20) === EXPONENT) {
      const sign = bytes[at + 1];
      const exponent = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
      writing = written.number;
      at = this.#digits(exponent);
      if (at === exponent) return FAILED;
    }
    this.#scalar(start, at, writing);
    return at;
  }

  #digits(from: number): number {
    const { bytes } = this;
    let at = from;
    while (at < bytes.length && bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
    return at;
  }

  #literal(at: number, first: number | undefined): number {
    if (first === TRUE[0]) return this.#word(at, TRUE, written.true);
    if (first === FALSE[0]) return this.#word(at, FALSE, written.false);
    return this.#word(at, NULL, written.null);
  }

  #word(at: number, word: Uint8Array, writing: Written): number {
    for (let i = 0; i < word.length; i++) if (this.bytes[at + i] !== word[i]) return FAILED;
    this.#scalar(at, at + word.length, writing);
    return at + word.length;
  }

  #blanks(from: number): number {
    const { bytes } = this;
    let at = from;
    while (at < bytes.length && bytes[at]! <= SPACE) {
      const byte = bytes[at]!;
      if (byte === LINE_FEED) this.lineStart = at + 1;
      else if (byte !== SPACE && byte !== TAB && byte !== RETURN) break;
      at++;
    }
    return at;
  }

  #scalar(start: number, end: number, writing: Written): void {
    this.#isAtValue = false;
    this.#add(entry.scalar, start, end, writing);
  }

  /** An entry under the key last read, as far as they are kept. */
  #add(kind: Entry, start: number, end: number, writing: Written): number {
    if (this.count >= mostEntries) {
      this.isCut = true;
      return LEFT_OUT;
    }
    return this.#push((this.#key << entryBits) | kind, start, end, writing);
  }

  #push(code: number, start: number, end: number, writing: Written): number {
    const at = this.count++;
    if (at === this.codes.length) this.#grow();
    this.codes[at] = code;
    this.starts[at] = start;
    this.ends[at] = end;
    this.writing[at] = writing;
    this.hash = Math.imul(this.hash ^ code, MULTIPLIER) ^ (this.hash >>> 15);
    return at;
  }

  #grow(): void {
    this.codes = doubled(this.codes);
    this.starts = doubled(this.starts);
    this.ends = doubled(this.ends);
    this.writing = doubled(this.writing);
  }
}

function doubled<A extends Uint8Array | Int32Array>(array: A): A {
  const larger = new (array.constructor as new (length: number) => A)(array.length * 2);
  larger.set(array);
  return larger;
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

function tableOf(text: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of ascii(text)) table[byte] = 1;
  return table;
}

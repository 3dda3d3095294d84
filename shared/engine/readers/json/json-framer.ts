import type { Framer, Report } from '../read-records.ts';

const BLANK = 1;
const LITERAL = 2;
const QUOTE = 3;
const OPEN = 4;
const CLOSE = 5;
const NEWLINE = 6;
const kinds = byteKinds();

const LINE_FEED = 0x0a;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
const BRACKET_OPEN = 0x5b;

/** A byte that cannot be JSON, so soon after a string, tells that quotes were taken the wrong way round. */
const afterString = 64;
/** Digits from which on a number may be more than a JavaScript number holds exactly. */
const longNumber = 16;
const anyColumn = Infinity;

/**
 * Finds the objects of a stream: one per line, elements of an array, or documents one after another.
 * After an object that cannot be one, it goes on at the next line that opens with a brace no deeper
 * indented than that object was, or, in an array, at the next `},{`.
 */
export class JsonFramer implements Framer {
  start = 0;
  end = 0;
  /** Whether the record found holds a number of so many digits that its exact value needs care. */
  hasLongNumber = false;
  readonly #report: Report;
  #mode: 'between' | 'record' | 'seek' = 'between';
  #at = 0;
  #depth = 0;
  #inString = false;
  /** Place of the last string: from its quote to behind its end. */
  #string = 0;
  #stringEnd = 0;
  #digits = 0;
  #lineStart = 0;
  /** Nothing but blanks since the line began. */
  #isLineHead = true;
  /** Column of the open record, below which a brace cannot belong to it. */
  #column = anyColumn;
  #inArray = false;
  /** The last two bytes that are no blanks, while seeking. */
  #last = 0;
  #lastButOne = 0;

  constructor(report: Report) {
    this.#report = report;
  }

  get keep(): number {
    return this.#mode === 'record' ? this.start : this.#at;
  }

  next(bytes: Uint8Array): boolean {
    while (this.#at < bytes.length) {
      if (this.#mode === 'between') this.#between(bytes);
      else if (this.#mode === 'seek') this.#seek(bytes);
      else if (this.#inString) this.#throughString(bytes);
      else if (this.#throughRecord(bytes)) return true;
    }
    return false;
  }

  shift(count: number): void {
    this.start -= count;
    this.#at -= count;
    this.#string -= count;
    this.#stringEnd -= count;
    this.#lineStart -= count;
  }

  abandon(): boolean {
    if (this.#mode !== 'record') return false;
    this.#resume(this.#at);
    return true;
  }

  #between(bytes: Uint8Array): void {
    for (; this.#at < bytes.length; this.#at++) {
      const byte = bytes[this.#at]!;
      if (byte === BRACE_OPEN) return this.#open();
      if (byte === BRACKET_OPEN) this.#inArray = true;
      else if (byte === LINE_FEED) this.#newLine();
      else if (kinds[byte] !== BLANK && kinds[byte] !== CLOSE) {
        this.#report('text-between-records', this.#at);
        this.#column = anyColumn;
        return this.#resume(this.#at);
      }
    }
  }

  /** Begins a record at the brace. */
  #open(): void {
    this.#mode = 'record';
    this.start = this.#at;
    this.#column = this.#at - this.#lineStart;
    this.#isLineHead = false;
    this.#depth = 1;
    this.#inString = false;
    this.#stringEnd = this.#at - afterString;
    this.#digits = 0;
    this.hasLongNumber = false;
    this.#at++;
  }

  /** True at the end of the record. */
  #throughRecord(bytes: Uint8Array): boolean {
    for (; this.#at < bytes.length; this.#at++) {
      const kind = kinds[bytes[this.#at]!]!;
      if (kind === LITERAL) {
        if (++this.#digits >= longNumber) this.hasLongNumber = true;
        continue;
      }
      this.#digits = 0;
      if (kind === QUOTE) {
        this.#string = this.#at++;
        this.#inString = true;
        this.#isLineHead = false;
        return false;
      }
      if (kind === NEWLINE) this.#newLine();
      else if (kind === OPEN) {
        if (this.#opensAnother(bytes[this.#at]!)) return this.#broken(this.#at);
        this.#isLineHead = false;
        this.#depth++;
      } else if (kind === CLOSE) {
        this.#isLineHead = false;
        if (--this.#depth === 0) return this.#close();
      } else if (kind !== BLANK) {
        return this.#broken(this.#at - this.#stringEnd < afterString ? this.#string : this.#at);
      }
    }
    return false;
  }

  #throughString(bytes: Uint8Array): void {
    let at = this.#at;
    for (; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte === 0x22) {
        this.#inString = false;
        this.#stringEnd = ++at;
        break;
      }
      if (byte === BACKSLASH) at++;
      else if (byte === LINE_FEED) {
        this.#broken(this.#string);
        return;
      }
    }
    this.#at = at;
  }

  #close(): true {
    this.end = ++this.#at;
    this.#mode = 'between';
    return true;
  }

  /** The record cannot be one; what follows `from` may hold the next. */
  #broken(from: number): false {
    this.#report('record-malformed', this.start);
    this.#resume(from);
    return false;
  }

  #resume(from: number): void {
    // Going back over the begin of a line, it is not known where the line before began.
    if (from < this.#lineStart) this.#lineStart = from - 1;
    this.#isLineHead &&= from === this.#at;
    this.#mode = 'seek';
    this.#at = from;
    this.#last = 0;
    this.#lastButOne = 0;
  }

  #seek(bytes: Uint8Array): void {
    for (; this.#at < bytes.length; this.#at++) {
      const byte = bytes[this.#at]!;
      if (byte === LINE_FEED) this.#newLine();
      else if (byte === BRACE_OPEN && (this.#opensAnother(byte) || this.#followsElement())) return this.#open();
      else if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) {
        this.#isLineHead = false;
        this.#lastButOne = this.#last;
        this.#last = byte;
      }
    }
  }

  #opensAnother(byte: number): boolean {
    return byte === BRACE_OPEN && this.#isLineHead && this.#at - this.#lineStart <= this.#column;
  }

  #followsElement(): boolean {
    return this.#inArray && !this.#isLineHead && this.#last === COMMA && this.#lastButOne === BRACE_CLOSE;
  }

  #newLine(): void {
    this.#lineStart = this.#at + 1;
    this.#isLineHead = true;
  }
}

function byteKinds(): Uint8Array {
  const table = new Uint8Array(256);
  const set = (text: string, kind: number): void => {
    for (let i = 0; i < text.length; i++) table[text.charCodeAt(i)] = kind;
  };
  set(' \t\r,:', BLANK);
  set('+-.0123456789eEtrufalsn', LITERAL);
  set('"', QUOTE);
  set('{[', OPEN);
  set('}]', CLOSE);
  set('\n', NEWLINE);
  return table;
}

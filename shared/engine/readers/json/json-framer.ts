import type { Framer, Report } from '../read-records.ts';

const BLANK = 1;
const NEWLINE = 2;
const LITERAL = 3;
const BETWEEN = 4;
const QUOTE = 5;
const OPEN = 6;
const CLOSE = 7;
const kinds = byteKinds();

const LINE_FEED = 0x0a;
const QUOTATION = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET_OPEN = 0x5b;
const BACKSLASH = 0x5c;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;

/** Digits from which on a number may be more than a JavaScript number holds exactly. */
const longNumber = 16;
/** A byte that cannot be JSON, so soon after a string, tells that quotes were taken the wrong way round. */
const afterString = 64;
const deepest = 1024;
const anyColumn = Infinity;

/**
 * Finds the objects of a stream: one per line, elements of an array, or documents one after another.
 * After an object that cannot be one, it goes on at the next line that opens with a brace no deeper
 * indented than that object was, or, in an array, at the next element.
 */
export class JsonFramer implements Framer {
  start = 0;
  end = 0;
  /** Whether the record found holds a number of so many digits that its exact value needs care. */
  hasLongNumber = false;
  readonly #report: Report;
  #mode: 'between' | 'record' | 'string' | 'seek' = 'between';
  #at = 0;
  /** The brackets that are open in the record. */
  readonly #open = new Uint8Array(deepest);
  #depth = 0;
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
  /** The last two bytes that are no blanks; a string counts as its quote. */
  #last = 0;
  #lastButOne = 0;

  constructor(report: Report) {
    this.#report = report;
  }

  get keep(): number {
    return this.#mode === 'record' || this.#mode === 'string' ? this.start : this.#at;
  }

  next(bytes: Uint8Array): boolean {
    while (this.#at < bytes.length) {
      if (this.#mode === 'between') this.#between(bytes);
      else if (this.#mode === 'seek') this.#seek(bytes);
      else if (this.#mode === 'string') this.#throughString(bytes);
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
    if (this.#mode !== 'record' && this.#mode !== 'string') return false;
    this.#resume(this.#at);
    return true;
  }

  #between(bytes: Uint8Array): void {
    for (; this.#at < bytes.length; this.#at++) {
      const byte = bytes[this.#at]!;
      const kind = kinds[byte]!;
      if (byte === BRACE_OPEN) return this.#begin();
      if (byte === BRACKET_OPEN) this.#inArray = true;
      else if (kind === NEWLINE) this.#newLine();
      else if (kind !== BLANK && kind !== BETWEEN && kind !== CLOSE) {
        this.#report('text-between-records', this.#at);
        this.#column = anyColumn;
        return this.#resume(this.#at);
      }
    }
  }

  /** Begins a record at the brace. */
  #begin(): void {
    this.#mode = 'record';
    this.start = this.#at;
    this.#column = this.#at - this.#lineStart;
    this.#open[0] = BRACE_OPEN;
    this.#depth = 1;
    this.#stringEnd = this.#at - afterString;
    this.#digits = 0;
    this.hasLongNumber = false;
    this.#pass(BRACE_OPEN);
    this.#at++;
  }

  /** True at the end of the record. */
  #throughRecord(bytes: Uint8Array): boolean {
    for (; this.#at < bytes.length; this.#at++) {
      const byte = bytes[this.#at]!;
      switch (kinds[byte]) {
        case BLANK:
          break;
        case NEWLINE:
          this.#newLine();
          break;
        case LITERAL:
          this.#digits = kinds[this.#last] === LITERAL ? this.#digits + 1 : 1;
          if (this.#digits >= longNumber) this.hasLongNumber = true;
          this.#pass(byte);
          break;
        case BETWEEN:
          this.#pass(byte);
          break;
        case QUOTE:
          this.#string = this.#at++;
          this.#mode = 'string';
          this.#pass(byte);
          return false;
        case OPEN:
          if (!this.#mayOpen(byte)) return this.#openedWrongly(byte);
          this.#open[this.#depth++] = byte;
          this.#pass(byte);
          break;
        case CLOSE:
          // The codes of a pair of brackets differ by two.
          if (this.#open[--this.#depth] !== byte - 2) return this.#broken(this.#at);
          if (this.#depth === 0) return this.#finish();
          this.#pass(byte);
          break;
        default:
          return this.#broken(this.#at - this.#stringEnd < afterString ? this.#string : this.#at);
      }
    }
    return false;
  }

  #throughString(bytes: Uint8Array): void {
    let at = this.#at;
    for (; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTATION) {
        this.#mode = 'record';
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

  #finish(): true {
    this.end = ++this.#at;
    this.#mode = 'between';
    return true;
  }

  /** Whether a bracket can stand here: as a value in the open object or array, not as a next record. */
  #mayOpen(byte: number): boolean {
    if (this.#depth === deepest || this.#opensAnother(byte)) return false;
    const isInObject = this.#open[this.#depth - 1] === BRACE_OPEN;
    return isInObject ? this.#last === COLON : this.#last === COMMA || this.#last === BRACKET_OPEN;
  }

  /** A brace after a comma, where a key must be, is the next element: the record was not closed. */
  #openedWrongly(byte: number): false {
    const isElement = this.#inArray && byte === BRACE_OPEN && this.#last === COMMA && this.#depth < deepest;
    this.#broken(this.#at);
    if (isElement) this.#begin();
    return false;
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
    this.#last = this.#lastButOne = 0;
  }

  #seek(bytes: Uint8Array): void {
    for (; this.#at < bytes.length; this.#at++) {
      const byte = bytes[this.#at]!;
      const kind = kinds[byte];
      if (kind === NEWLINE) this.#newLine();
      else if (byte === BRACE_OPEN && (this.#opensAnother(byte) || this.#followsElement())) return this.#begin();
      else if (kind !== BLANK) this.#pass(byte);
    }
  }

  #opensAnother(byte: number): boolean {
    return byte === BRACE_OPEN && this.#isLineHead && this.#at - this.#lineStart <= this.#column;
  }

  #followsElement(): boolean {
    return this.#inArray && !this.#isLineHead && this.#last === COMMA && this.#lastButOne === BRACE_CLOSE;
  }

  #pass(byte: number): void {
    this.#isLineHead = false;
    this.#lastButOne = this.#last;
    this.#last = byte;
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
  set(' \t\r', BLANK);
  set('\n', NEWLINE);
  set('+-.0123456789eEtrufalsn', LITERAL);
  set(',:', BETWEEN);
  set('"', QUOTE);
  set('{[', OPEN);
  set('}]', CLOSE);
  return table;
}

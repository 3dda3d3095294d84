import type { Framer, Report } from '../read-records.ts';
import type { JsonScan } from './json-scan.ts';

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
const BRACKET_CLOSE = 0x5d;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;

/** Takes what an object has before the list that it wraps, at [start, end). */
export type TakeHead = (bytes: Uint8Array, start: number, end: number) => void;

/** A byte that cannot be JSON, so soon after a string, tells that quotes were taken the wrong way round. */
const afterString = 64;
const deepest = 1024;
const anyColumn = Infinity;
const longestWrapperKey = 32;
/** Brackets that may be open where a list begins, of wrappers that are told of. */
const deepestList = 3;
const noKeys: ReadonlySet<string> = new Set();

/**
 * Finds the objects of a stream: one per line, elements of an array, or documents one after another;
 * of an object that wraps a list under one of `wrapperKeys`, the elements of that list.
 * After an object that cannot be one, it goes on at the next line that opens with a brace no deeper
 * indented than that object was, or, in an array, at the next element.
 */
export class JsonFramer implements Framer {
  start = 0;
  end = 0;
  /** Whether the record found is the one that the scan holds. */
  isScanned = false;
  readonly #report: Report;
  readonly #wrapperKeys: ReadonlySet<string>;
  readonly #scan: JsonScan | undefined;
  readonly #takeHead: TakeHead | undefined;
  /** The records are elements of a list in an object, which ends after them. */
  #inWrapper = false;
  /** The wrapper is an element of an array itself. */
  #isWrapperInArray = false;
  /** The record being read is what follows the list in its wrapper, which is none. */
  #isTail = false;
  /** Brackets opened in the record, but for empty pairs. */
  #opened = 0;
  #mode: 'between' | 'record' | 'string' | 'seek' | 'found' = 'between';
  #at = 0;
  /** The brackets that are open in the record. */
  readonly #open = new Uint8Array(deepest);
  #depth = 0;
  /** Place of the last string: from its quote to behind its end. */
  #string = 0;
  #stringEnd = 0;
  #lineStart = 0;
  /** Nothing but blanks since the line began. */
  #isLineHead = true;
  /** Column of the open record, below which a brace cannot belong to it. */
  #column = anyColumn;
  #inArray = false;
  /** The last two bytes that are no blanks; a string counts as its quote. */
  #last = 0;
  #lastButOne = 0;

  /**
   * @param scan tried on each record: where it can take it up, nothing is looked at twice.
   * @param takeHead told of wrappers, of which there may be any number, whatever they have before their lists. @default
   * nothing but scalars may stand there
   */
  constructor(report: Report, wrapperKeys = noKeys, scan?: JsonScan, takeHead?: TakeHead) {
    this.#report = report;
    this.#wrapperKeys = wrapperKeys;
    this.#scan = scan;
    this.#takeHead = takeHead;
  }

  get keep(): number {
    return this.#mode === 'record' || this.#mode === 'string' ? this.start : this.#at;
  }

  /** Whether the record found is an element of the list in a wrapper. */
  get isWrapped(): boolean {
    return this.#inWrapper;
  }

  get isSettled(): boolean {
    return this.#mode === 'between' && this.#isLineHead && !this.#inArray && !this.#inWrapper;
  }

  next(bytes: Uint8Array): boolean {
    while (this.#at < bytes.length) {
      if (this.#mode === 'between') this.#between(bytes);
      else if (this.#mode === 'seek') this.#seek(bytes);
      else if (this.#mode === 'string') this.#throughString(bytes);
      else if (this.#throughRecord(bytes)) return true;
      if (this.#mode !== 'found') continue;
      this.#mode = 'between';
      return true;
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
      if (byte === BRACE_OPEN) return this.#begin(bytes);
      if (byte === BRACKET_OPEN) this.#inArray = true;
      else if (this.#inWrapper && byte === BRACKET_CLOSE) return this.#beginTail();
      else if (kind === NEWLINE) this.#newLine();
      else if (kind !== BLANK && kind !== BETWEEN && kind !== CLOSE) {
        this.#report('text-between-records', this.#at);
        this.#column = anyColumn;
        return this.#resume(this.#at);
      }
    }
  }

  /** Begins a record at the brace, and ends it too if the scan can. */
  #begin(bytes: Uint8Array): void {
    this.#enter();
    this.isScanned = this.#scan?.scan(bytes, this.start, this.#column) === true;
    if (!this.isScanned) return;
    const { end, lineStart } = this.#scan!;
    this.#mode = 'found';
    this.end = this.#at = end;
    if (lineStart >= 0) this.#lineStart = lineStart;
  }

  #enter(): void {
    this.#mode = 'record';
    this.start = this.#at;
    this.#column = this.#at - this.#lineStart;
    this.#open[0] = BRACE_OPEN;
    this.#depth = 1;
    this.#stringEnd = this.#at - afterString;
    this.#opened = 0;
    this.#isTail = false;
    this.#pass(BRACE_OPEN);
    this.#at++;
  }

  /** Begins what follows the list in its wrapper, at the bracket that closes the list. */
  #beginTail(): void {
    this.#enter();
    this.#inWrapper = false;
    this.#inArray = this.#isWrapperInArray;
    this.#isTail = true;
  }

  /** Whether the brace is that of the first record in a wrapper's list. */
  #opensWrapped(byte: number, bytes: Uint8Array): boolean {
    const isFirst = byte === BRACE_OPEN && this.#last === BRACKET_OPEN;
    const isSoon = this.#depth === 2 && this.#opened === 1;
    if (!isFirst || !(isSoon || (this.#takeHead !== undefined && this.#depth <= deepestList))) return false;
    if (this.#stringEnd - this.#string > longestWrapperKey) return false;
    const key = String.fromCharCode(...bytes.subarray(this.#string + 1, this.#stringEnd - 1));
    return this.#wrapperKeys.has(key);
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
          if (!this.#mayOpen(byte)) return this.#openedWrongly(byte, bytes);
          if (this.#wrapperKeys.size > 0 && this.#opensWrapped(byte, bytes)) {
            this.#takeHead?.(bytes, this.start, this.#string);
            this.#isWrapperInArray = this.#takeHead !== undefined && this.#inArray;
            this.#inWrapper = this.#inArray = true;
            this.#begin(bytes);
            return false;
          }
          this.#opened++;
          this.#open[this.#depth++] = byte;
          this.#pass(byte);
          break;
        case CLOSE:
          // The codes of a pair of brackets differ by two.
          if (this.#open[--this.#depth] !== byte - 2) return this.#broken(this.#at);
          if (this.#depth === 0) return this.#finish();
          if (this.#last === byte - 2) this.#opened--;
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

  /** True when what has ended is a record. */
  #finish(): boolean {
    this.end = ++this.#at;
    this.#mode = 'between';
    return !this.#isTail;
  }

  /** Whether a bracket can stand here: as a value in the open object or array, not as a next record. */
  #mayOpen(byte: number): boolean {
    if (this.#depth === deepest || this.#opensAnother(byte)) return false;
    const isInObject = this.#open[this.#depth - 1] === BRACE_OPEN;
    return isInObject ? this.#last === COLON : this.#last === COMMA || this.#last === BRACKET_OPEN;
  }

  /** A brace after a comma, where a key must be, is the next element: the record was not closed. */
  #openedWrongly(byte: number, bytes: Uint8Array): false {
    const isElement = this.#inArray && byte === BRACE_OPEN && this.#last === COMMA && this.#depth < deepest;
    this.#broken(this.#at);
    if (isElement) this.#begin(bytes);
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
      else if (byte === BRACE_OPEN && (this.#opensAnother(byte) || this.#followsElement())) return this.#begin(bytes);
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

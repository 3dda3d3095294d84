import { findByte } from '../columns/find-byte.ts';

const BLANK = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const most = 64;

/** The words of a line: apart by blanks, in double quotes (typographic ones too) or in brackets. */
export class LineTokens {
  count = 0;
  readonly starts = new Int32Array(most);
  readonly ends = new Int32Array(most);
  /** Whether a word stood in brackets. */
  readonly bracketed = new Uint8Array(most);

  split(bytes: Uint8Array, start: number, end: number): void {
    this.count = 0;
    let at = start;
    while (at < end && this.count < most) {
      while (at < end && bytes[at] === BLANK) at++;
      if (at < end) at = this.#token(bytes, at, end);
    }
  }

  #token(bytes: Uint8Array, at: number, end: number): number {
    if (bytes[at] === QUOTE) return this.#push(at + 1, quoteEnd(bytes, at + 1, end), 1, end);
    if (isCurly(bytes, at)) return this.#push(at + 3, curlyEnd(bytes, at + 3, end), 3, end);
    if (bytes[at] === OPEN) {
      const close = findByte(bytes, CLOSE, at, end);
      if (close > 0) return this.#push(at + 1, close, 1, end, 1);
    }
    const blank = findByte(bytes, BLANK, at, end);
    return this.#push(at, blank < 0 ? end : blank, 0, end);
  }

  /** Returns the place behind the word and the `closing` bytes that end it. */
  #push(start: number, tokenEnd: number, closing: number, end: number, bracketed = 0): number {
    const token = this.count++;
    this.starts[token] = Math.min(start, end);
    this.ends[token] = Math.min(tokenEnd, end);
    this.bracketed[token] = bracketed;
    return tokenEnd + closing;
  }
}

/** A quote ends a word only where a blank or the end of the line follows: some programs do not escape it. */
function quoteEnd(bytes: Uint8Array, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE && (at + 1 === end || bytes[at + 1] === BLANK)) return at;
  }
  return end;
}

function isCurly(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xe2 && bytes[at + 1] === 0x80 && (bytes[at + 2] === 0x9c || bytes[at + 2] === 0x9d);
}

function curlyEnd(bytes: Uint8Array, from: number, end: number): number {
  for (let at = from; at < end; at++) if (isCurly(bytes, at)) return at;
  return end;
}

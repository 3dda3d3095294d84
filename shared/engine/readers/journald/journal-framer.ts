import type { Framer, Report } from '../read-records.ts';
import { indexOfByte } from '../text/index-of-byte.ts';

const LINE_FEED = 0x0a;
const EQUALS = 0x3d;
const lengthBytes = 8;
/** How one entry ends and the next begins. */
const boundary = new TextEncoder().encode('\n\n__CURSOR=');
const longestField = 16 * 1024 * 1024;

/**
 * Finds the entries of the journal's export format: fields on lines, `NAME=text`, or, where the text
 * is not plain, `NAME`, a length of eight bytes and as many bytes; an empty line ends the entry.
 */
export class JournalFramer implements Framer {
  start = 0;
  end = 0;
  readonly #report: Report;
  #at = 0;
  #begun = 0;
  #seen = 0;
  #isSkipping = false;

  constructor(report: Report) {
    this.#report = report;
  }

  get keep(): number {
    return this.#begun;
  }

  next(bytes: Uint8Array): boolean {
    this.#seen = bytes.length;
    for (;;) {
      const lineEnd = indexOfByte(bytes, LINE_FEED, this.#at);
      if (lineEnd < 0) return false;
      const isEmpty = lineEnd === this.#at;
      const next = isEmpty ? lineEnd + 1 : fieldEnd(bytes, this.#at, lineEnd);
      if (next < 0) return false;
      if (!isEmpty) {
        this.#at = next;
        continue;
      }
      if (this.#close(lineEnd, next)) return true;
    }
  }

  finish(bytes: Uint8Array): boolean {
    if (this.#begun >= bytes.length) return false;
    const isTextLine = indexOfByte(bytes, LINE_FEED, this.#at) < 0;
    const end = isTextLine ? bytes.length : this.#at;
    if (end < bytes.length || bytes.at(-1) !== LINE_FEED) this.#report('record-unfinished', this.#begun);
    return this.#close(end, bytes.length);
  }

  shift(count: number): void {
    this.#at -= count;
    this.#begun -= count;
    this.#seen -= count;
  }

  abandon(): boolean {
    if (this.#begun >= this.#seen) return false;
    const wasSkipping = this.#isSkipping;
    this.#isSkipping = true;
    this.#begun = this.#at = this.#seen;
    return !wasSkipping;
  }

  /** Ends the entry begun; true when there is one. */
  #close(end: number, next: number): boolean {
    const isEntry = end > this.#begun && !this.#isSkipping;
    this.start = this.#begun;
    this.end = end;
    this.#isSkipping = false;
    this.#begun = this.#at = next;
    return isEntry;
  }
}

/** A field of an entry: its name, and where its value stands. */
export interface JournalField {
  nameEnd: number;
  start: number;
  end: number;
}

/** End of the field whose first line is at [at, lineEnd), its line break included; -1 when more bytes are needed. */
function fieldEnd(bytes: Uint8Array, at: number, lineEnd: number): number {
  const field: JournalField = { nameEnd: 0, start: 0, end: 0 };
  const hasEnd = readField(bytes, at, lineEnd, bytes.length, field);
  return hasEnd ? field.end + 1 : -1;
}

/**
 * Reads the field whose first line is at [at, lineEnd). False when its bytes go on behind `limit`; a
 * line that is no field is a name without a value.
 */
export function readField(bytes: Uint8Array, at: number, lineEnd: number, limit: number, field: JournalField): boolean {
  let equals = at;
  while (equals < lineEnd && bytes[equals] !== EQUALS) equals++;
  field.nameEnd = equals;
  field.start = Math.min(equals + 1, lineEnd);
  field.end = lineEnd;
  if (equals < lineEnd) return true;
  const data = lineEnd + 1 + lengthBytes;
  if (data > limit) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset + lineEnd + 1, lengthBytes);
  const length = view.getUint32(0, true);
  // No field is so long: the line was not the name of one.
  if (view.getUint32(4, true) !== 0 || length > longestField) return true;
  // A length that reaches into the next entry is a damaged one.
  if (hasBoundary(bytes, data, Math.min(data + length, limit))) return true;
  if (data + length >= limit) return false;
  if (bytes[data + length] !== LINE_FEED) return true;
  field.start = data;
  field.end = data + length;
  return true;
}

function hasBoundary(bytes: Uint8Array, from: number, to: number): boolean {
  for (
    let at = indexOfByte(bytes, LINE_FEED, from);
    at >= 0 && at + boundary.length <= to;
    at = indexOfByte(bytes, LINE_FEED, at + 1)
  ) {
    if (boundary.every((byte, i) => bytes[at + i] === byte)) return true;
  }
  return false;
}

import { findByte } from '../columns/find-byte.ts';

const QUOTE = 0x22;

/** Bytes that may stand between fields. */
const separators = [0x2c, 0x3b, 0x09] as const;
/** A name as headers have it: it begins with a letter or a mark that exports put before one. */
const columnName = /^[\p{L}_@#$([.][^"=<>{}|\\]{0,100}$/u;

/** What a numbered first column is called, which exports of data frames leave without a name. */
const numbers = '#';
/** What Azure's portal writes behind the names of times. */
const utcMark = / \[UTC\]$/;

/** Takes a field, whose text stands at [start, end) without its quotes. */
export type TakeField = (start: number, end: number) => void;

/** Visits the fields of the record at [start, end) (RFC 4180); a quote within an unquoted field is text. */
export function eachField(bytes: Uint8Array, start: number, end: number, separator: number, take: TakeField): void {
  for (let at = start; at <= end;) {
    if (at < end && bytes[at] === QUOTE) {
      const close = closingQuote(bytes, at + 1, end);
      take(at + 1, close);
      const next = findByte(bytes, separator, close, end);
      if (next < 0) return;
      at = next + 1;
    } else {
      const found = findByte(bytes, separator, at, end);
      const stop = found < 0 ? end : found;
      take(at, stop);
      at = stop + 1;
    }
  }
}

/** Whether a quoted field is open behind the line at [start, end), where one was or was not before it. */
export function isOpenAfter(
  bytes: Uint8Array,
  start: number,
  end: number,
  separator: number,
  wasOpen: boolean,
): boolean {
  let isOpen = wasOpen;
  for (let at = start; ;) {
    if (!isOpen && at < end && bytes[at] === QUOTE) {
      isOpen = true;
      at++;
    }
    if (isOpen) {
      at = closingQuote(bytes, at, end);
      if (at >= end) return true;
      isOpen = false;
    }
    const next = findByte(bytes, separator, at, end);
    if (next < 0) return false;
    at = next + 1;
  }
}

/** Place of the quote that ends a field; the end where there is none. */
function closingQuote(bytes: Uint8Array, from: number, end: number): number {
  for (let at = findByte(bytes, QUOTE, from, end); at >= 0; at = findByte(bytes, QUOTE, at + 2, end)) {
    if (bytes[at + 1] !== QUOTE || at + 1 >= end) return at;
  }
  return end;
}

/** A header's names and what stands between them. */
export interface Header {
  readonly separator: number;
  readonly names: readonly string[];
}

/** Before the names of columns, as Exchange's logs have them behind other lines with a mark. */
const fieldsMark = /^#Fields:\s*(?=[\w-]+,)/;

/** Whether a line before the header says something of the table. */
export function isRemark(line: string): boolean {
  return line.startsWith('#TYPE ') || (line.startsWith('#') && !fieldsMark.test(line));
}

/** The header that a line is; undefined where it is none. */
export function headerOf(written: string): Header | undefined {
  const line = written.replace(fieldsMark, '');
  const bytes = new TextEncoder().encode(line);
  const decoder = new TextDecoder();
  const headers = separators.map((separator): Header => {
    const names: string[] = [];
    eachField(bytes, 0, bytes.length, separator, (start, end) => {
      const name = decoder.decode(bytes.subarray(start, end)).replaceAll('""', '"').trim().replace(utcMark, '');
      names.push(name === '' && names.length === 0 ? numbers : name);
    });
    return { separator, names };
  });
  const best = headers.reduce((one, other) => (other.names.length > one.names.length ? other : one));
  const isHeader = best.names.length > 1 && best.names.every((name) => columnName.test(name));
  return isHeader && new Set(best.names).size === best.names.length ? best : undefined;
}

/** Event Viewer gives the last of its columns, the message, no name. */
function lacksLastName(names: readonly string[]): boolean {
  return names.at(-1) === 'Task Category' && names.includes('Event ID');
}

/** Whether lines look like a table: a header, and a record with a field for each of its names. */
export function isTable(lines: readonly string[]): boolean {
  const [first = '', second = ''] = lines.filter((line) => line.trim() !== '' && !isRemark(line));
  const header = headerOf(first);
  if (header === undefined || second === '') return false;
  const bytes = new TextEncoder().encode(second);
  if (isOpenAfter(bytes, 0, bytes.length, header.separator, false)) return true;
  let fields = 0;
  eachField(bytes, 0, bytes.length, header.separator, () => fields++);
  return fields === header.names.length || (fields === header.names.length + 1 && lacksLastName(header.names));
}

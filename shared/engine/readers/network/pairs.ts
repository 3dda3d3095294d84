import { findByte } from '../columns/find-byte.ts';
import { decodePlain } from '../xml/xml-text.ts';

const EQUALS = 0x3d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BLANK = 0x20;
const TAB = 0x09;
const PIPE = 0x7c;
const DOT = 0x2e;

/** Takes a pair, whose name and value stand at [nameStart, nameEnd) and [start, end). */
export type TakePair = (nameStart: number, nameEnd: number, start: number, end: number) => void;

/** `key=value key="quoted value"`, as FortiOS and many others write; what is no pair is passed over. */
export function eachWord(bytes: Uint8Array, start: number, end: number, take: TakePair): void {
  for (let at = start; at < end;) {
    while (at < end && bytes[at]! <= BLANK) at++;
    let equals = at;
    while (equals < end && isName(bytes[equals]!)) equals++;
    if (equals === at || equals >= end || bytes[equals] !== EQUALS) {
      while (at < end && bytes[at]! > BLANK) at++;
      continue;
    }
    const isQuoted = bytes[equals + 1] === QUOTE;
    const from = equals + (isQuoted ? 2 : 1);
    let to = from;
    if (isQuoted) while (to < end && bytes[to] !== QUOTE) to += bytes[to] === BACKSLASH ? 2 : 1;
    else while (to < end && bytes[to]! > BLANK) to++;
    to = Math.min(to, end);
    take(at, equals, from, to);
    at = to + 1;
  }
}

/**
 * CEF's extension: unquoted values with blanks in them, so a value ends where the next ` key=` begins.
 * A backslash before an equals sign keeps it in the value.
 */
export function eachExtension(bytes: Uint8Array, start: number, end: number, take: TakePair): void {
  let name = -1;
  let nameEnd = -1;
  for (
    let equals = findByte(bytes, EQUALS, start, end);
    equals >= 0;
    equals = findByte(bytes, EQUALS, equals + 1, end)
  ) {
    if (bytes[equals - 1] === BACKSLASH) continue;
    let from = equals;
    while (from > start && isName(bytes[from - 1]!)) from--;
    const isKey = from < equals && (from === start || bytes[from - 1] === BLANK);
    if (!isKey || from < nameEnd) continue;
    if (name >= 0) take(name, nameEnd, nameEnd + 1, Math.max(nameEnd + 1, from - 1));
    name = from;
    nameEnd = equals;
  }
  if (name >= 0) take(name, nameEnd, nameEnd + 1, end);
}

/** LEEF's attributes, apart by one byte of the header's choice. */
export function eachAttribute(bytes: Uint8Array, start: number, end: number, separator: number, take: TakePair): void {
  for (let at = start; at < end;) {
    const found = findByte(bytes, separator, at, end);
    const stop = found < 0 ? end : found;
    const equals = findByte(bytes, EQUALS, at, stop);
    if (equals > at) take(at, equals, equals + 1, stop);
    at = stop + 1;
  }
}

/**
 * The attributes behind a header of LEEF. Version 2 names what they are apart by, as a character or in hexadecimal,
 * before them.
 */
export function eachLeefAttribute(
  bytes: Uint8Array,
  start: number,
  end: number,
  version: string | undefined,
  take: TakePair,
): void {
  const bar = version === '2' ? findByte(bytes, PIPE, start, Math.min(end, start + 8)) : -1;
  if (bar < 0) return eachAttribute(bytes, start, end, TAB, take);
  const text = decodePlain(bytes, start, bar - start);
  const hex = /^(?:0?x)([\da-f]{2})$/i.exec(text)?.[1];
  eachAttribute(bytes, bar + 1, end, hex === undefined ? text.charCodeAt(0) || TAB : Number.parseInt(hex, 16), take);
}

function isName(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x5f ||
    byte === 0x2d ||
    byte === DOT
  );
}

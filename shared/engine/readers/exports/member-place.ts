const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const BRACE_OPEN = 0x7b;
const SPACE = 0x20;

/** Bytes of a value. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * Where the value at a path stands in the JSON object at [start, end), so that it can be taken as it was written, with
 * all digits of its numbers; undefined where the object has none. The object must be well-formed, as framers give it.
 * @param path keys from the object down, as bytes without escapes.
 */
export function memberPlace(bytes: Uint8Array, { start, end }: Place, path: readonly Uint8Array[]): Place | undefined {
  let place: Place | undefined = { start, end };
  for (const key of path) {
    place = bytes[place.start] === BRACE_OPEN ? memberOf(bytes, place, key) : undefined;
    if (place === undefined) return undefined;
  }
  return place;
}

function memberOf(bytes: Uint8Array, { start, end }: Place, key: Uint8Array): Place | undefined {
  for (let at = start + 1; at < end;) {
    const open = bytes.indexOf(QUOTE, at);
    if (open < 0 || open >= end) return undefined;
    const close = stringEnd(bytes, open, end);
    const value = skipTo(bytes, close, end);
    const after = valueEnd(bytes, value, end);
    if (isSame(bytes, open + 1, close - 1, key)) return { start: value, end: after };
    at = after;
  }
  return undefined;
}

/** Place behind the string that begins at its quote. */
function stringEnd(bytes: Uint8Array, open: number, end: number): number {
  for (let at = open + 1; at < end; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at + 1;
  }
  return end;
}

/** First byte of the value behind a key. */
function skipTo(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && (bytes[at]! <= SPACE || bytes[at] === COLON)) at++;
  return at;
}

/** Place behind a value: a string, what is in brackets, or a literal. */
function valueEnd(bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start]!;
  if (first === QUOTE) return stringEnd(bytes, start, end);
  let at = start;
  if (!isOpening(first)) {
    while (at < end && bytes[at]! > SPACE && bytes[at] !== COMMA && !isClosing(bytes[at]!)) at++;
    return at;
  }
  for (let depth = 0; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = stringEnd(bytes, at, end) - 1;
    else if (isOpening(byte)) depth++;
    else if (isClosing(byte) && --depth === 0) return at + 1;
  }
  return end;
}

function isOpening(byte: number): boolean {
  return byte === 0x7b || byte === 0x5b;
}

function isClosing(byte: number): boolean {
  return byte === 0x7d || byte === 0x5d;
}

function isSame(bytes: Uint8Array, start: number, end: number, key: Uint8Array): boolean {
  if (end - start !== key.length) return false;
  for (let i = 0; i < key.length; i++) if (bytes[start + i] !== key[i]) return false;
  return true;
}

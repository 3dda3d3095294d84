import type { Decode } from '../../events/byte-interner.ts';
import { decodeUtf16 } from '../../events/utf16.ts';
import { decodeUtf8 } from '../../events/utf8.ts';
import { fileTimeText, systemTimeText } from './times.ts';
import { ARRAY, valueType, widths } from './value-types.ts';

/** Windows-1252 from 0x80 to 0x9f; the runtimes' own decoders do not agree on it. */
const ansiExtras = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Text of a value by its type (detection-engine 2.5); undefined where a type has none. A value that
 * is shorter than its type is read as far as it goes.
 */
export const decoders: readonly (Decode | undefined)[] = decoderTable({
  [valueType.string]: decodeUtf16,
  [valueType.ansi]: ansiText,
  [valueType.int8]: (bytes, offset, size) => signed(bytes, offset, Math.min(size, 1)),
  [valueType.uint8]: (bytes, offset, size) => unsignedText(bytes, offset, Math.min(size, 1)),
  [valueType.int16]: (bytes, offset, size) => signed(bytes, offset, Math.min(size, 2)),
  [valueType.uint16]: (bytes, offset, size) => unsignedText(bytes, offset, Math.min(size, 2)),
  [valueType.int32]: (bytes, offset, size) => signed(bytes, offset, Math.min(size, 4)),
  [valueType.uint32]: (bytes, offset, size) => unsignedText(bytes, offset, Math.min(size, 4)),
  [valueType.int64]: (bytes, offset, size) => signed(bytes, offset, Math.min(size, 8)),
  [valueType.uint64]: (bytes, offset, size) => unsignedText(bytes, offset, Math.min(size, 8)),
  [valueType.float32]: float32Text,
  [valueType.float64]: (bytes, offset, size) => String(copy(bytes, offset, size, 8).getFloat64(0, true)),
  [valueType.boolean]: booleanText,
  [valueType.binary]: hexDump,
  [valueType.guid]: guidText,
  [valueType.size]: (bytes, offset, size) => hex(bytes, offset, Math.min(size, 8)),
  [valueType.fileTime]: (bytes, offset, size) => {
    const view = copy(bytes, offset, size, 8);
    return fileTimeText(view.getUint32(0, true), view.getUint32(4, true));
  },
  [valueType.systemTime]: (bytes, offset, size) => {
    const view = copy(bytes, offset, size, 16);
    return systemTimeText(Array.from({ length: 8 }, (_, i) => view.getUint16(i * 2, true)));
  },
  [valueType.sid]: sidText,
  [valueType.hex32]: (bytes, offset, size) => hex(bytes, offset, Math.min(size, 4)),
  [valueType.hex64]: (bytes, offset, size) => hex(bytes, offset, Math.min(size, 8)),
  [valueType.xml]: decodeUtf16,
});

/** The text as a number or boolean, where the type is one and the number is exact. */
export function typedText(type: number, text: string): string | number | boolean {
  if (type === valueType.boolean) return text === 'true';
  if (type < valueType.int8 || type > valueType.float64) return text;
  const number = Number(text);
  const exact = type >= valueType.float32 ? Number.isFinite(number) : Number.isSafeInteger(number);
  return exact ? number : text;
}

/** Visits the items of an array value with their places; a rest too short for an item is left out. */
export function eachItem(
  type: number,
  bytes: Uint8Array,
  offset: number,
  size: number,
  visit: (type: number, offset: number, size: number) => void,
): void {
  const item = type & ~ARRAY;
  const end = offset + size;
  for (let at = offset; at < end;) {
    const length = itemLength(item, bytes, at, end);
    if (length === 0) return;
    visit(item, at, length);
    at += length;
  }
}

function itemLength(type: number, bytes: Uint8Array, at: number, end: number): number {
  if (type === valueType.string || type === valueType.xml) return stringLength(bytes, at, end, 2);
  if (type === valueType.ansi) return stringLength(bytes, at, end, 1);
  const length = type === valueType.sid ? 8 + 4 * (bytes[at + 1] ?? 0) : widths[type]!;
  return at + length <= end ? length : 0;
}

/** Length of the text at `at` with its NUL; the last one may lack it. */
function stringLength(bytes: Uint8Array, at: number, end: number, unit: 1 | 2): number {
  for (let i = at; i + unit <= end; i += unit) {
    if (bytes[i] === 0 && (unit === 1 || bytes[i + 1] === 0)) return i + unit - at;
  }
  return end - at;
}

function ansiText(bytes: Uint8Array, offset: number, size: number): string {
  let end = offset + size;
  while (end > offset && bytes[end - 1] === 0) end--;
  let isPlain = true;
  for (let at = offset; at < end && isPlain; at++) isPlain = bytes[at]! > 0 && bytes[at]! < 0x80;
  if (isPlain) return decodeUtf8(bytes, offset, end - offset);
  let text = '';
  for (let at = offset; at < end; at++) {
    const byte = bytes[at]!;
    if (byte !== 0) text += byte >= 0x80 && byte < 0xa0 ? ansiExtras[byte - 0x80]! : String.fromCharCode(byte);
  }
  return text;
}

function signed(bytes: Uint8Array, offset: number, size: number): string {
  if (size > 4) return BigInt.asIntN(size * 8, big(bytes, offset, size)).toString();
  const unused = 32 - size * 8;
  return String((unsigned(bytes, offset, size) << unused) >> unused);
}

function unsignedText(bytes: Uint8Array, offset: number, size: number): string {
  return size > 4 ? big(bytes, offset, size).toString() : String(unsigned(bytes, offset, size));
}

function hex(bytes: Uint8Array, offset: number, size: number): string {
  return `0x${(size > 4 ? big(bytes, offset, size) : unsigned(bytes, offset, size)).toString(16)}`;
}

/** Unsigned little-endian integer of at most 4 bytes. */
export function unsigned(bytes: Uint8Array, offset: number, size: number): number {
  let value = 0;
  for (let i = size - 1; i >= 0; i--) value = value * 256 + bytes[offset + i]!;
  return value;
}

function big(bytes: Uint8Array, offset: number, size: number): bigint {
  return (BigInt(unsigned(bytes, offset + 4, size - 4)) << 32n) | BigInt(unsigned(bytes, offset, 4));
}

function float32Text(bytes: Uint8Array, offset: number, size: number): string {
  const value = copy(bytes, offset, size, 4).getFloat32(0, true);
  for (let digits = 1; digits <= 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(value);
}

function booleanText(bytes: Uint8Array, offset: number, size: number): string {
  return unsigned(bytes, offset, Math.min(size, 4)) === 0 ? 'false' : 'true';
}

function hexDump(bytes: Uint8Array, offset: number, size: number): string {
  let text = '';
  for (let at = offset; at < offset + size; at++) text += hexByte[bytes[at]!];
  return text.toUpperCase();
}

const hexByte: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const hexDigits = '0123456789abcdef';
const guidOrder = [3, 2, 1, 0, -1, 5, 4, -1, 7, 6, -1, 8, 9, -1, 10, 11, 12, 13, 14, 15];

/** Characters of the one at hand; in one go, as adding them up leaves much garbage. */
const guidUnits: number[] = [];

function guidText(bytes: Uint8Array, offset: number, size: number): string {
  let at = 0;
  guidUnits[at++] = 0x7b;
  for (const i of guidOrder) {
    const byte = i < size ? bytes[offset + i]! : 0;
    if (i >= 0) guidUnits[at++] = hexDigits.charCodeAt(byte >> 4);
    guidUnits[at++] = i < 0 ? 0x2d : hexDigits.charCodeAt(byte & 15);
  }
  guidUnits[at] = 0x7d;
  return String.fromCharCode(...guidUnits);
}

function sidText(bytes: Uint8Array, offset: number, size: number): string {
  if (size < 8) return size === 0 ? '' : `S-${bytes[offset]}`;
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, size);
  let text = `S-${view.getUint8(0)}-${view.getUint16(2) * 2 ** 32 + view.getUint32(4)}`;
  const end = Math.min(8 + 4 * view.getUint8(1), size - 3);
  for (let at = 8; at < end; at += 4) text += `-${view.getUint32(at, true)}`;
  return text;
}

/** The first bytes of a value, filled up with zeros to the length its type should have. */
function copy(bytes: Uint8Array, offset: number, size: number, width: number): DataView {
  const filled = new Uint8Array(width);
  filled.set(bytes.subarray(offset, offset + Math.min(size, width)));
  return new DataView(filled.buffer);
}

function decoderTable(known: Readonly<Record<number, Decode>>): readonly (Decode | undefined)[] {
  return Array.from({ length: 256 }, (_, type) => known[type]);
}

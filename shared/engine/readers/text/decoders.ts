import type { Decode, RawValue } from '../../events/byte-interner.ts';
import { decodePlain } from '../xml/xml-text.ts';

const NUL = 0;
const BLANK = 0x20;
/** What hexadecimal digits were last read as. */
let scratch = new Uint8Array(1024);

/** The bytes of UTF-8 in hexadecimal, good until the next call; a last odd digit is left out. */
export function hexInUtf8({ kind, bytes, offset, byteLength }: RawValue): RawValue {
  const length = byteLength >> 1;
  if (length > scratch.length) scratch = new Uint8Array(2 * length);
  for (let i = 0, at = offset; i < length; i++, at += 2) {
    scratch[i] = (hexDigit(bytes[at]!) << 4) | hexDigit(bytes[at + 1]!);
  }
  return { kind, bytes: scratch, offset: 0, byteLength: length };
}

/** Likewise of a command line, whose arguments end with a NUL each: one blank stands between them. */
export function hexArgumentsInUtf8(raw: RawValue): RawValue {
  const { kind, bytes, offset, byteLength } = hexInUtf8(raw);
  let end = byteLength;
  while (end > 0 && bytes[end - 1] === NUL) end--;
  for (let at = 0; at < end; at++) if (bytes[at] === NUL) bytes[at] = BLANK;
  return { kind, bytes, offset, byteLength: end };
}

/** Text of UTF-8 in hexadecimal. */
export const decodeHex = decodeBy(hexInUtf8);
/** Text of a command line in hexadecimal. */
export const decodeHexArguments = decodeBy(hexArgumentsInUtf8);

function decodeBy(toUtf8: (raw: RawValue) => RawValue): Decode {
  return (bytes, offset, byteLength) => {
    const raw = toUtf8({ kind: 0, bytes, offset, byteLength });
    return decodePlain(raw.bytes, raw.offset, raw.byteLength);
  };
}

/** Whether the bytes are pairs of the hexadecimal digits that the audit system writes. */
export function isHex(bytes: Uint8Array, start: number, end: number): boolean {
  if (end === start || (end - start) % 2 !== 0) return false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (!((byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46))) return false;
  }
  return true;
}

function hexDigit(byte: number): number {
  return (byte & 0x0f) + (byte >= 0x41 ? 9 : 0);
}

import type { Decode } from '../../events/byte-interner.ts';
import { decodePlain } from '../xml/xml-text.ts';

/** Text of hexadecimal digits that stand for UTF-8; a last odd digit is left out. */
export const decodeHex: Decode = (bytes, offset, byteLength) => {
  const length = byteLength >> 1;
  const decoded = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    decoded[i] = (hexDigit(bytes[offset + 2 * i]!) << 4) | hexDigit(bytes[offset + 2 * i + 1]!);
  }
  return decodePlain(decoded, 0, length);
};

/** A command line in hexadecimal, whose arguments end with a NUL each. */
export const decodeHexArguments: Decode = (bytes, offset, byteLength) =>
  decodeHex(bytes, offset, byteLength).replace(/\0+$/, '').replaceAll('\0', ' ');

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

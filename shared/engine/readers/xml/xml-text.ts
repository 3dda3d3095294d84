import type { Decode } from '../../events/byte-interner.ts';
import { decodeUtf8 } from '../../events/utf8.ts';

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text of UTF-8 without references in it. */
export const decodePlain = decodeUtf8;

/** Text of UTF-8 with its character and entity references resolved; unknown entities stay as written. */
export const decodeReferences: Decode = (bytes, offset, byteLength) =>
  decodePlain(bytes, offset, byteLength).replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{1,8}));/g, resolve);

function resolve(whole: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return Object.hasOwn(named, name) ? named[name]! : whole;
  const point = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal);
  return point <= 0x10_ffff ? String.fromCodePoint(point) : whole;
}

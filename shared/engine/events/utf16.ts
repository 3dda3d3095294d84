import type { RawValue } from './byte-interner.ts';

const decoder = new TextDecoder('utf-16le', { ignoreBOM: true });
const LONGEST_BY_UNITS = 48;
const STEP = 8192;
/** By their number, units of the short text at hand: there are so many that new ones would be much garbage. */
const scratchUnits = Array.from({ length: LONGEST_BY_UNITS + 1 }, (_, length) => zeros(length));

/** Text of UTF-16LE bytes up to the first NUL; unpaired surrogates stay, an odd last byte is left out. */
export function decodeUtf16(bytes: Uint8Array, offset: number, byteLength: number): string {
  const end = offset + (byteLength & ~1);
  let stop = offset;
  let surrogates = false;
  for (; stop < end; stop += 2) {
    const high = bytes[stop + 1]!;
    if (high === 0 && bytes[stop] === 0) break;
    if ((high & 0xf8) === 0xd8) surrogates = true;
  }
  // TextDecoder is faster on long texts, but replaces unpaired surrogates.
  if (stop - offset <= LONGEST_BY_UNITS * 2) return byUnits(bytes, offset, scratchUnits[(stop - offset) >> 1]!);
  if (!surrogates) return decoder.decode(bytes.subarray(offset, stop));
  let out = '';
  for (let from = offset; from < stop; from += STEP) {
    out += byUnits(bytes, from, zeros((Math.min(stop, from + STEP) - from) >> 1));
  }
  return out;
}

function zeros(length: number): number[] {
  return Array.from({ length }, () => 0);
}

/** Fills the units and makes a text of them. */
function byUnits(bytes: Uint8Array, offset: number, units: number[]): string {
  for (let at = offset, unit = 0; unit < units.length; at += 2, unit++)
    units[unit] = bytes[at]! | (bytes[at + 1]! << 8);
  return String.fromCharCode(...units);
}

const scratch = new Uint8Array(32_768);

/**
 * A value of UTF-16LE, up to the first NUL, with a byte for each character; undefined where a character is
 * none of ASCII, or they are too many. The bytes are good until the next call.
 */
export function narrowed({ kind, bytes, offset, byteLength }: RawValue): RawValue | undefined {
  const length = byteLength >> 1;
  if (length > scratch.length) return undefined;
  for (let i = 0, at = offset; i < length; i++, at += 2) {
    const low = bytes[at]!;
    if (low > 0x7f || bytes[at + 1] !== 0) return undefined;
    if (low === 0) return { kind, bytes: scratch, offset: 0, byteLength: i };
    scratch[i] = low;
  }
  return { kind, bytes: scratch, offset: 0, byteLength: length };
}

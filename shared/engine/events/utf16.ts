const decoder = new TextDecoder('utf-16le', { ignoreBOM: true });
const LONGEST_BY_UNITS = 48;

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
  if (stop - offset <= LONGEST_BY_UNITS * 2) return byUnits(bytes, offset, stop);
  if (!surrogates) return decoder.decode(bytes.subarray(offset, stop));
  let out = '';
  for (let from = offset; from < stop; from += 8192) out += byUnits(bytes, from, Math.min(stop, from + 8192));
  return out;
}

function byUnits(bytes: Uint8Array, offset: number, end: number): string {
  const units: number[] = [];
  for (let at = offset; at < end; at += 2) units.push(bytes[at]! | (bytes[at + 1]! << 8));
  return String.fromCharCode(...units);
}

import type { Decode } from './byte-interner.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Text of UTF-8; bad bytes become U+FFFD. */
export const decodeUtf8: Decode = (bytes, offset, byteLength) =>
  decoder.decode(bytes.subarray(offset, offset + byteLength));

import type { Decode } from '../../events/byte-interner.ts';
import { decodeUtf8 } from '../../events/utf8.ts';

/** Text of what stands between the quotes of a well-formed JSON string; bad bytes become U+FFFD. */
export const decodeJsonString: Decode = (bytes, offset, byteLength) =>
  JSON.parse(`"${decodeUtf8(bytes, offset, byteLength)}"`) as string;

/** Canonical decimal of a JSON number with a fraction, an exponent or a negative zero (1.3.2). */
export const decodeJsonNumber: Decode = (bytes, offset, byteLength) =>
  String(Number(decodeUtf8(bytes, offset, byteLength)));

import { isOptionalText } from './pieces.ts';
import type { TextPart } from './nodes.ts';

/** Place of a slot that is not simply one value of an instance. */
export const COMPOSED = -1;
const PLACE_BITS = 16;
/** No instance has as many values, so all places beyond are as empty as this one. */
const LAST_PLACE = 0x7fff;

/** Where a value lies that is made of these texts, as a number for the functions below. */
export function codeOf(texts: readonly TextPart[], attribute: boolean): number {
  const piece = texts.length === 1 ? texts[0]!.piece : undefined;
  const place = piece?.kind === 'value' ? Math.min(piece.index, LAST_PLACE) : COMPOSED;
  const flags = (attribute ? 1 : 0) | (attribute || isOptionalText(texts) ? 2 : 0);
  return ((texts[0]?.instance ?? 0) << (PLACE_BITS + 2)) | (flags << PLACE_BITS) | (place + 1);
}

/** Number of the value in its instance; COMPOSED when `texts` say what the slot is made of. */
export function placeOf(code: number): number {
  return (code & 0xffff) - 1;
}

export function instanceOf(code: number): number {
  return code >> (PLACE_BITS + 2);
}

export function isAttribute(code: number): boolean {
  return (code & (1 << PLACE_BITS)) !== 0;
}

/** Whether a null value means that the element or attribute is not there at all. */
export function isOptional(code: number): boolean {
  return (code & (2 << PLACE_BITS)) !== 0;
}

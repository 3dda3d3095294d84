import { type JsonOutput, type JsonPiece, jsonPiece } from './json-output.ts';
import { hasSeveral, isBlankValue, writeItems, writeValue, wrote } from './json-values.ts';
import type { RecordFrame } from './record-frame.ts';
import { ARRAY } from './value-types.ts';

/** Writes part of a record; false where it is more than a plan can say. */
export type Step = (out: JsonOutput, frame: RecordFrame) => boolean;

/** A value of an instance, which differs from record to record. */
export interface Place {
  readonly instance: number;
  readonly index: number;
}

export interface PlacedAttribute {
  readonly key: JsonPiece;
  readonly place: Place;
}

export const nullText = jsonPiece('null');
export const emptyText = jsonPiece('""');
const attributesKey = jsonPiece('"#attributes":{');
const textKey = jsonPiece('"#text":');
const COMMA = 0x2c;
const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;

/** Whether a text of the template, as JSON, is none or white space only. */
export function isBlankJson(json: string): boolean {
  return json === '' || (json.startsWith('"') && (JSON.parse(json) as string).trim() === '');
}

/** A comma, unless the object has just begun. */
export function separate(out: JsonOutput): true {
  if (out.last !== BRACE_OPEN) out.byte(COMMA);
  return true;
}

/** An element that is no more than its text. */
export function leaf({ instance, index }: Place, none: JsonPiece): Step {
  return (out, frame) => {
    const result = writeValue(out, frame, instance, index);
    if (result === wrote.nothing || result === wrote.empty) out.raw(none);
    return result !== wrote.refused;
  };
}

/**
 * A Data element that is no more than its text, which may be several.
 * @param isAlone whether it is not within a list, so that several make one.
 */
export function dataLeaf(place: Place, isAlone: boolean): Step {
  const single = leaf(place, emptyText);
  return (out, frame) => {
    const { instance, index } = place;
    if ((frame.type(instance, index) & ARRAY) === 0) return single(out, frame);
    const isList = isAlone && hasSeveral(frame, instance, index);
    if (isList) out.byte(BRACKET_OPEN);
    if (!writeItems(out, frame, instance, index)) return false;
    if (isList) out.byte(BRACKET_CLOSE);
    return true;
  };
}

/** An element without children, which is an object where it has attributes. */
export function attributed(attributes: readonly PlacedAttribute[], text: string | Place, none: JsonPiece): Step {
  const alone = typeof text === 'object' ? leaf(text, none) : fixed(text === '' ? none : jsonPiece(text));
  const beside =
    typeof text === 'object' ? textMember(text) : fixed(jsonPiece(isBlankJson(text) ? '' : `,"#text":${text}`));
  return (out, frame) => {
    const start = out.length;
    out.byte(BRACE_OPEN);
    if (!writeAttributes(out, frame, attributes)) return false;
    if (out.length === start + 1) {
      out.length = start;
      return alone(out, frame);
    }
    if (!beside(out, frame)) return false;
    out.byte(BRACE_CLOSE);
    return true;
  };
}

/** What is the same in all records. */
export function fixed(piece: JsonPiece): Step {
  return (out) => {
    out.raw(piece);
    return true;
  };
}

/** The text of an element that is an object, as a member where it is not blank. */
export function textMember(place: Place): Step {
  return (out, frame) => isBlankValue(frame, place.instance, place.index) || writeMember(out, frame, textKey, place);
}

/** `#attributes` with those that the record has; nothing when it has none. */
export function writeAttributes(out: JsonOutput, frame: RecordFrame, attributes: readonly PlacedAttribute[]): boolean {
  const start = out.length;
  out.raw(attributesKey);
  const first = out.length;
  for (const { key, place } of attributes) if (!writeMember(out, frame, key, place)) return false;
  if (out.length === first) out.length = start;
  else out.byte(BRACE_CLOSE);
  return true;
}

/** A member of an object, unless its value is absent or empty. */
export function writeMember(out: JsonOutput, frame: RecordFrame, key: JsonPiece, { instance, index }: Place): boolean {
  const start = out.length;
  separate(out);
  out.raw(key);
  const result = writeValue(out, frame, instance, index);
  if (result === wrote.nothing || result === wrote.empty) out.length = start;
  return result !== wrote.refused;
}

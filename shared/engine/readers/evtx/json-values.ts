import type { Chunk } from './chunk.ts';
import type { JsonOutput } from './json-output.ts';
import type { RecordFrame } from './record-frame.ts';
import { fileTimeText } from './times.ts';
import { decoders, eachItem, typedText } from './value-text.ts';
import { ARRAY, valueType, widths } from './value-types.ts';

const COMMA = 0x2c;

/** What came of writing a value: nothing where there is none, an empty text, or one of several. */
export const wrote = { value: 0, nothing: 1, empty: 2, refused: 3 } as const;
export type Wrote = (typeof wrote)[keyof typeof wrote];

/** Writes the value of an instance as JSON; arrays are refused, and empty texts not written. */
export function writeValue(out: JsonOutput, frame: RecordFrame, instance: number, index: number): Wrote {
  const type = frame.type(instance, index);
  if (type === valueType.none) return wrote.nothing;
  if ((type & ARRAY) !== 0) return wrote.refused;
  return writeScalar(out, frame.chunk, type, frame.offset(instance, index), frame.size(instance, index));
}

/** Whether an array has more than one item. */
export function hasSeveral(frame: RecordFrame, instance: number, index: number): boolean {
  let count = 0;
  eachItem(
    frame.type(instance, index),
    frame.chunk.bytes,
    frame.offset(instance, index),
    frame.size(instance, index),
    () => count++,
  );
  return count > 1;
}

/** Writes the items of an array with commas between them; false where they are of a type without text. */
export function writeItems(out: JsonOutput, frame: RecordFrame, instance: number, index: number): boolean {
  const type = frame.type(instance, index);
  if (decoders[type & ~ARRAY] === undefined) return false;
  const start = out.length;
  const { chunk } = frame;
  eachItem(type, chunk.bytes, frame.offset(instance, index), frame.size(instance, index), (item, offset, size) => {
    if (out.length > start) out.byte(COMMA);
    if (writeScalar(out, chunk, item, offset, size) === wrote.empty) out.quoted('');
  });
  if (out.length === start) out.quoted('');
  return true;
}

function writeScalar(out: JsonOutput, { bytes, view }: Chunk, type: number, offset: number, size: number): Wrote {
  if (type === valueType.string) {
    if (size < 2 || (bytes[offset] === 0 && bytes[offset + 1] === 0)) return wrote.empty;
    out.utf16(view, offset, size);
    return wrote.value;
  }
  const decode = decoders[type];
  if (decode === undefined) return wrote.nothing;
  if (size === 0) return wrote.empty;
  const isWhole = size === (type === valueType.sid ? 8 + 4 * bytes[offset + 1]! : widths[type]);
  if (isWhole && writeWhole(out, bytes, view, type, offset)) return wrote.value;
  return writeText(out, type, decode(bytes, offset, size));
}

/** Writes a value that has the length of its type; false for types that are rare. */
function writeWhole(out: JsonOutput, bytes: Uint8Array, view: DataView, type: number, offset: number): boolean {
  switch (type) {
    case valueType.uint8:
      out.integer(bytes[offset]!);
      return true;
    case valueType.uint16:
      out.integer(view.getUint16(offset, true));
      return true;
    case valueType.uint32:
      out.integer(view.getUint32(offset, true));
      return true;
    case valueType.uint64: {
      const high = view.getUint32(offset + 4, true);
      // What does not fit a number exactly is text.
      if (high >= 0x20_0000) return false;
      out.integer(high * 0x1_0000_0000 + view.getUint32(offset, true));
      return true;
    }
    case valueType.hex32:
      out.hexadecimal(view.getUint32(offset, true), 0);
      return true;
    case valueType.hex64:
      out.hexadecimal(view.getUint32(offset, true), view.getUint32(offset + 4, true));
      return true;
    case valueType.guid:
      out.guid(bytes, offset);
      return true;
    case valueType.sid:
      out.sid(view, offset);
      return true;
    case valueType.fileTime:
      out.quoted(fileTimeText(view.getUint32(offset, true), view.getUint32(offset + 4, true)));
      return true;
    default:
      return false;
  }
}

/** Whether the value is text of white space only. */
export function isBlankValue(frame: RecordFrame, instance: number, index: number): boolean {
  const type = frame.type(instance, index);
  const decode = decoders[type];
  if (decode === undefined || (type !== valueType.string && type !== valueType.ansi && type !== valueType.xml))
    return false;
  const offset = frame.offset(instance, index);
  const first = frame.chunk.bytes[offset]!;
  // Nearly all texts begin with a letter, which settles it.
  if (first > 0x20 && first < 0x80) return false;
  return decode(frame.chunk.bytes, offset, frame.size(instance, index)).trim() === '';
}

function writeText(out: JsonOutput, type: number, text: string): Wrote {
  const typed = typedText(type, text);
  if (typed === '') return wrote.empty;
  if (typeof typed !== 'string') out.ascii(String(typed));
  else if (type === valueType.ansi || type === valueType.xml) out.text(JSON.stringify(typed));
  else out.quoted(typed);
  return wrote.value;
}

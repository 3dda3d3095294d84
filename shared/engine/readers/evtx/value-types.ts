/** Types of values in binary XML (detection-engine 2.5). */
export const valueType = {
  none: 0x00,
  string: 0x01,
  ansi: 0x02,
  int8: 0x03,
  uint8: 0x04,
  int16: 0x05,
  uint16: 0x06,
  int32: 0x07,
  uint32: 0x08,
  int64: 0x09,
  uint64: 0x0a,
  float32: 0x0b,
  float64: 0x0c,
  boolean: 0x0d,
  binary: 0x0e,
  guid: 0x0f,
  size: 0x10,
  fileTime: 0x11,
  systemTime: 0x12,
  sid: 0x13,
  hex32: 0x14,
  hex64: 0x15,
  handle: 0x20,
  binaryXml: 0x21,
  xml: 0x23,
} as const;

/** Set in a type when the value is an array of the type without it. */
export const ARRAY = 0x80;

/** Width in bytes of types that have one; 0 for the others. */
export const widths = widthTable({
  [valueType.int8]: 1,
  [valueType.uint8]: 1,
  [valueType.int16]: 2,
  [valueType.uint16]: 2,
  [valueType.int32]: 4,
  [valueType.uint32]: 4,
  [valueType.int64]: 8,
  [valueType.uint64]: 8,
  [valueType.float32]: 4,
  [valueType.float64]: 8,
  [valueType.boolean]: 4,
  [valueType.guid]: 16,
  [valueType.fileTime]: 8,
  [valueType.systemTime]: 16,
  [valueType.hex32]: 4,
  [valueType.hex64]: 8,
});

function widthTable(known: Readonly<Record<number, number>>): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, type) => known[type] ?? 0);
}

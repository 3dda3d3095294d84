import { describe, expect, it } from 'vitest';
import { decoders, eachItem, typedText } from './value-text.ts';
import { valueType } from './value-types.ts';

const cases: { type: keyof typeof valueType; bytes: string; text: string; typed?: string | number | boolean }[] = [
  { type: 'string', bytes: '6100 6200', text: 'ab' },
  { type: 'string', bytes: '6100 0000 6200', text: 'a' },
  { type: 'string', bytes: '00d8 6100', text: '\ud800a' },
  { type: 'ansi', bytes: '61 80 00 92 fc', text: 'a€’ü' },
  { type: 'int8', bytes: 'ff', text: '-1', typed: -1 },
  { type: 'uint8', bytes: 'ff', text: '255', typed: 255 },
  { type: 'int16', bytes: '0080', text: '-32768', typed: -32768 },
  { type: 'uint16', bytes: '0080', text: '32768', typed: 32768 },
  { type: 'int32', bytes: 'feffffff', text: '-2', typed: -2 },
  { type: 'uint32', bytes: 'feffffff', text: '4294967294', typed: 4294967294 },
  { type: 'int64', bytes: 'ffffffffffffffff', text: '-1', typed: -1 },
  { type: 'int64', bytes: '0000000000000080', text: '-9223372036854775808', typed: '-9223372036854775808' },
  { type: 'uint64', bytes: 'ffffffffffffff1f', text: '2305843009213693951', typed: '2305843009213693951' },
  { type: 'uint64', bytes: 'ffffffffffff1f00', text: '9007199254740991', typed: 9007199254740991 },
  { type: 'uint64', bytes: 'ffffffffffffffff', text: '18446744073709551615', typed: '18446744073709551615' },
  { type: 'float32', bytes: 'cdcccc3d', text: '0.1', typed: 0.1 },
  { type: 'float32', bytes: '0000c07f', text: 'NaN', typed: 'NaN' },
  { type: 'float64', bytes: '9a9999999999b93f', text: '0.1', typed: 0.1 },
  { type: 'boolean', bytes: '00000000', text: 'false', typed: false },
  { type: 'boolean', bytes: '01000000', text: 'true', typed: true },
  { type: 'boolean', bytes: '00007f00', text: 'true', typed: true },
  { type: 'binary', bytes: '00 0a ff', text: '000AFF' },
  {
    type: 'guid',
    bytes: '2596 8454 7854 9449 a5ba 3e3b0328c30d',
    text: '{54849625-5478-4994-a5ba-3e3b0328c30d}',
  },
  { type: 'size', bytes: 'ec7e0000', text: '0x7eec' },
  { type: 'size', bytes: '0000000001000000', text: '0x100000000' },
  { type: 'fileTime', bytes: '15cd5b0722b5db01', text: '2025-04-24T14:06:09.4533909Z' },
  { type: 'systemTime', bytes: 'e907 0600 0000 0800 0700 0f00 0900 dd00', text: '2025-06-08T07:15:09.221Z' },
  { type: 'sid', bytes: '01 01 000000000005 12000000', text: 'S-1-5-18' },
  { type: 'sid', bytes: '01 02 010000000005 20000000 20020000', text: 'S-1-1099511627781-32-544' },
  { type: 'hex32', bytes: '0a000000', text: '0xa' },
  { type: 'hex64', bytes: '0000000000002080', text: '0x8020000000000000' },
  { type: 'hex64', bytes: 'e703000000000000', text: '0x3e7' },
  { type: 'xml', bytes: '3c00 6100 2f00 3e00', text: '<a/>' },
];

const damaged: { type: keyof typeof valueType; bytes: string; text: string; why: string }[] = [
  { type: 'uint32', bytes: '0102', text: '513', why: 'shorter than its type' },
  { type: 'int32', bytes: 'ff', text: '-1', why: 'signed, shorter than its type' },
  { type: 'uint64', bytes: '010203', text: '197121', why: 'shorter than its type' },
  { type: 'uint16', bytes: '010203', text: '513', why: 'longer than its type' },
  { type: 'boolean', bytes: '01', text: 'true', why: 'one byte' },
  { type: 'guid', bytes: '25968454', text: '{54849625-0000-0000-0000-000000000000}', why: 'cut off' },
  { type: 'fileTime', bytes: '00', text: '1601-01-01T00:00:00.0000000Z', why: 'cut off' },
  { type: 'sid', bytes: '01 05 000000000005 15000000 c7', text: 'S-1-5-21', why: 'fewer parts than announced' },
  { type: 'sid', bytes: '01 05 0000', text: 'S-1', why: 'without its authority' },
  { type: 'string', bytes: '6100 62', text: 'a', why: 'odd length' },
];

const arrays: { type: keyof typeof valueType; bytes: string; items: string[] }[] = [
  { type: 'string', bytes: '6100 0000 6200 6300 0000', items: ['a', 'bc'] },
  { type: 'string', bytes: '6100 0000 0000 6200', items: ['a', '', 'b'] },
  { type: 'string', bytes: '', items: [] },
  { type: 'ansi', bytes: '61 00 62 63', items: ['a', 'bc'] },
  { type: 'uint16', bytes: '0100 0200 03', items: ['1', '2'] },
  { type: 'boolean', bytes: '00000000 01000000', items: ['false', 'true'] },
  { type: 'hex64', bytes: '0100000000000000 0a00000000000000', items: ['0x1', '0xa'] },
  { type: 'sid', bytes: '0101000000000005 12000000 0101000000000005 13000000', items: ['S-1-5-18', 'S-1-5-19'] },
  { type: 'binary', bytes: '0102', items: [] },
];

describe('decoders', () => {
  it.each(cases)('$type $bytes is $text', ({ type, bytes, text, typed }) => {
    expect(textOf(type, bytes)).toBe(text);
    expect(typedText(valueType[type], text)).toBe(typed ?? text);
  });

  it.each(damaged)('$type $bytes is $text: $why', ({ type, bytes, text }) => {
    expect(textOf(type, bytes)).toBe(text);
  });

  it('has none for types without a text', () => {
    expect([valueType.none, valueType.handle, valueType.binaryXml, 0x16, 0xff].map((type) => decoders[type])).toEqual(
      Array(5).fill(undefined),
    );
  });
});

describe('eachItem', () => {
  it.each(arrays)('$type $bytes is $items', ({ type, bytes, items }) => {
    // Bytes around the value must not matter.
    const value = fromHex(`ff${bytes}ff`);
    const found: string[] = [];
    eachItem(valueType[type] | 0x80, value, 1, value.length - 2, (itemType, offset, size) => {
      found.push(decoders[itemType]!(value, offset, size));
    });
    expect(found).toEqual(items);
  });
});

function textOf(type: keyof typeof valueType, bytes: string): string | undefined {
  const value = fromHex(`ff${bytes}ff`);
  return decoders[valueType[type]]?.(value, 1, value.length - 2);
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.replaceAll(' ', '').match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

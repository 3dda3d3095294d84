import { ByteWriter, utf16 } from './byte-writer.ts';

type Scalar = string | number | bigint | boolean | Uint8Array;

interface Codec {
  readonly code: number;
  encode(value: Scalar): Uint8Array;
  /** Text form of detection-engine 2.5. */
  text(value: Scalar): string;
}

const decimal = (value: Scalar): string => BigInt(scalarNumber(value)).toString();
const hexText = (value: Scalar): string => `0x${BigInt(scalarNumber(value)).toString(16)}`;

const codecs = {
  string: { code: 0x01, encode: (value) => utf16(String(value)), text: String },
  ansi: { code: 0x02, encode: latin1, text: String },
  int8: { code: 0x03, encode: integer(1), text: decimal },
  uint8: { code: 0x04, encode: integer(1), text: decimal },
  int16: { code: 0x05, encode: integer(2), text: decimal },
  uint16: { code: 0x06, encode: integer(2), text: decimal },
  int32: { code: 0x07, encode: integer(4), text: decimal },
  uint32: { code: 0x08, encode: integer(4), text: decimal },
  int64: { code: 0x09, encode: integer(8), text: decimal },
  uint64: { code: 0x0a, encode: integer(8), text: decimal },
  float32: { code: 0x0b, encode: (value) => view(4, (v) => v.setFloat32(0, Number(value), true)), text: String },
  float64: { code: 0x0c, encode: (value) => view(8, (v) => v.setFloat64(0, Number(value), true)), text: String },
  boolean: { code: 0x0d, encode: (value) => view(4, (v) => v.setUint32(0, value ? 1 : 0, true)), text: String },
  binary: { code: 0x0e, encode: octets, text: (value) => hexDigits(octets(value)).toUpperCase() },
  guid: { code: 0x0f, encode: guidBytes, text: (value) => `{${bareGuid(value)}}` },
  sizet: { code: 0x10, encode: integer(8), text: hexText },
  filetime: { code: 0x11, encode: (value) => integer(8)(fileTime(value)), text: (value) => isoTime(fileTime(value)) },
  systemtime: { code: 0x12, encode: systemTime, text: (value) => isoTime(fileTime(value), 3) },
  sid: { code: 0x13, encode: sidBytes, text: String },
  hex32: { code: 0x14, encode: integer(4), text: hexText },
  hex64: { code: 0x15, encode: integer(8), text: hexText },
} satisfies Record<string, Codec>;

/** The value types of detection-engine 2.5 that a writer may ask for by name. */
export type ScalarType = keyof typeof codecs;

/** A value with its type: times as ISO 8601 text or FILETIME bigint, GUIDs and SIDs as text. */
export type TaggedValue =
  | { readonly type: ScalarType; readonly value: Scalar }
  /** Several values in one; the element around it repeats once per item. */
  | { readonly type: 'array'; readonly of: ScalarType; readonly items: readonly Scalar[] }
  /** Bytes that need not fit their type code, to make damage. */
  | { readonly type: 'raw'; readonly code: number; readonly bytes: Uint8Array };

/** Plain values get the type Windows would use: text, uint32, (u)int64, float64, boolean, binary. */
export type EvtxValue = Scalar | null | TaggedValue;

export interface EncodedValue {
  readonly code: number;
  readonly bytes: Uint8Array;
}

/** Bytes and type code of a value, as they stand in the value table of a template instance. */
export function encodeValue(value: EvtxValue): EncodedValue {
  if (value === null) return { code: 0, bytes: new Uint8Array(0) };
  const tagged = tag(value);
  if (tagged.type === 'raw') return tagged;
  if (tagged.type !== 'array')
    return { code: codecs[tagged.type].code, bytes: codecs[tagged.type].encode(tagged.value) };
  const out = new ByteWriter();
  for (const item of tagged.items) {
    out.raw(codecs[tagged.of].encode(item));
    if (tagged.of === 'string') out.u16(0);
    if (tagged.of === 'ansi') out.u8(0);
  }
  return { code: codecs[tagged.of].code | 0x80, bytes: out.bytes() };
}

/** The texts a reader must give for a value (detection-engine 2.5): none for null, several for arrays. */
export function valueTexts(value: EvtxValue): readonly string[] {
  if (value === null) return [];
  const tagged = tag(value);
  if (tagged.type === 'raw') return [];
  if (tagged.type === 'array') return tagged.items.map((item) => codecs[tagged.of].text(item));
  return [codecs[tagged.type].text(tagged.value)];
}

/** FILETIME (100 ns since 1601) of an ISO 8601 text with up to 7 fractional digits, in UTC. */
export function fileTime(value: Scalar): bigint {
  if (typeof value === 'bigint') return value;
  const [whole = '', fraction = ''] = String(value).replace(/Z$/, '').split('.');
  const seconds = BigInt(Date.parse(`${whole}Z`) / 1000) + 11_644_473_600n;
  return seconds * 10_000_000n + BigInt(fraction.padEnd(7, '0').slice(0, 7));
}

/** `{8-4-4-4-12}` or bare to the 16 bytes that EVTX stores. */
export function guidBytes(value: Scalar): Uint8Array {
  const digits = bareGuid(value).replaceAll('-', '');
  const bytes = Uint8Array.from({ length: 16 }, (_, i) => Number.parseInt(digits.slice(i * 2, i * 2 + 2), 16));
  bytes.subarray(0, 4).reverse();
  bytes.subarray(4, 6).reverse();
  bytes.subarray(6, 8).reverse();
  return bytes;
}

function tag(value: Scalar | TaggedValue): TaggedValue {
  if (value instanceof Uint8Array) return { type: 'binary', value };
  switch (typeof value) {
    case 'string':
      return { type: 'string', value };
    case 'boolean':
      return { type: 'boolean', value };
    case 'bigint':
      return { type: value < 0n ? 'int64' : 'uint64', value };
    case 'number':
      if (!Number.isInteger(value)) return { type: 'float64', value };
      if (value < 0) return { type: 'int64', value };
      return { type: value <= 0xffffffff ? 'uint32' : 'uint64', value };
    default:
      return value;
  }
}

function scalarNumber(value: Scalar): number | bigint | string {
  return value instanceof Uint8Array || typeof value === 'boolean' ? 0 : value;
}

function integer(width: number): (value: Scalar) => Uint8Array {
  return (value) =>
    view(8, (v) => v.setBigUint64(0, BigInt.asUintN(64, BigInt(scalarNumber(value))), true)).subarray(0, width);
}

function view(size: number, fill: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(size);
  fill(new DataView(bytes.buffer));
  return bytes;
}

function latin1(value: Scalar): Uint8Array {
  return Uint8Array.from(String(value), (char) => char.charCodeAt(0));
}

function octets(value: Scalar): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array(0);
}

function hexDigits(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bareGuid(value: Scalar): string {
  return String(value).replace(/[{}]/g, '').toLowerCase();
}

function sidBytes(value: Scalar): Uint8Array {
  const [, revision = 1, authority = 0, ...subs] = String(value).split('-').map(Number);
  return view(8 + subs.length * 4, (v) => {
    v.setUint8(0, revision);
    v.setUint8(1, subs.length);
    v.setUint16(2, Math.floor(authority / 2 ** 32));
    v.setUint32(4, authority % 2 ** 32);
    subs.forEach((sub, i) => v.setUint32(8 + i * 4, sub, true));
  });
}

function isoTime(time: bigint, digits = 7): string {
  const seconds = time / 10_000_000n - 11_644_473_600n;
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return `${whole}.${(time % 10_000_000n).toString().padStart(7, '0').slice(0, digits)}Z`;
}

function systemTime(value: Scalar): Uint8Array {
  const date = new Date(isoTime(fileTime(value), 3));
  const parts = [
    date.getUTCFullYear(),
    date.getUTCMonth() + 1,
    date.getUTCDay(),
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
    date.getUTCMilliseconds(),
  ];
  return view(16, (v) => parts.forEach((part, i) => v.setUint16(i * 2, part, true)));
}

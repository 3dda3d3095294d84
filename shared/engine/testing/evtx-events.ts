import * as fc from 'fast-check';
import type { EvtxEvent } from './evtx-element.ts';
import type { EvtxValue, TaggedValue } from './evtx-values.ts';

const text = fc.string({ unit: 'binary', maxLength: 30 }).map((value) => value.replaceAll('\0', ''));
const hexGuid = fc.uuid().map((uuid) => `{${uuid}}`);
const sid = fc
  .array(fc.nat({ max: 0xffff_ffff }), { minLength: 1, maxLength: 6 })
  .map((subs) => `S-1-5-${subs.join('-')}`);
const time = fc.bigInt({ min: 0n, max: 2_650_467_743_999_999_999n });
const scalars = {
  string: text,
  ansi: fc.string({ maxLength: 20 }),
  int8: fc.integer({ min: -128, max: 127 }),
  uint8: fc.integer({ min: 0, max: 255 }),
  int16: fc.integer({ min: -32_768, max: 32_767 }),
  uint16: fc.integer({ min: 0, max: 65_535 }),
  int32: fc.integer(),
  uint32: fc.nat({ max: 0xffff_ffff }),
  int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  uint64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  float32: fc.integer({ min: -100_000, max: 100_000 }).map((n) => n / 8),
  float64: fc.double({ noNaN: true, noDefaultInfinity: true }),
  boolean: fc.boolean(),
  binary: fc.uint8Array({ maxLength: 20 }),
  guid: hexGuid,
  sizet: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  filetime: time,
  systemtime: time,
  sid,
  hex32: fc.nat({ max: 0xffff_ffff }),
  hex64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
} as const;

const tagged = fc.oneof(
  ...Object.entries(scalars).map(([type, value]) =>
    value.map((given): TaggedValue => ({ type, value: given }) as TaggedValue),
  ),
);
/** Strings in an array end with a NUL and the others have one width, so any of these can be told apart. */
const array = fc.oneof(
  ...(['string', 'uint16', 'uint64', 'guid', 'filetime', 'hex32'] as const).map((of) =>
    fc
      .array<string | number | bigint>(scalars[of], { minLength: 1, maxLength: 4 })
      .map((items): TaggedValue => ({ type: 'array', of, items })),
  ),
);
const value: fc.Arbitrary<EvtxValue> = fc.oneof(
  { weight: 6, arbitrary: tagged },
  { weight: 1, arbitrary: array },
  { weight: 1, arbitrary: fc.constant(null) },
);
const name = fc.stringMatching(/^[A-Z][A-Za-z]{0,8}$/).map((given) => `d${given}`);

/** Events with values of all types. */
export const evtxEvents: fc.Arbitrary<EvtxEvent> = fc.record(
  {
    provider: fc.stringMatching(/^[A-Za-z-]{1,20}$/),
    eventId: scalars.uint16,
    time,
    channel: fc.stringMatching(/^[A-Za-z/-]{1,20}$/),
    computer: fc.stringMatching(/^[a-z0-9.-]{1,20}$/),
    providerGuid: hexGuid,
    qualifiers: scalars.uint16,
    version: scalars.uint8,
    level: scalars.uint8,
    task: scalars.uint16,
    opcode: scalars.uint8,
    keywords: scalars.hex64,
    userSid: sid,
    processId: scalars.uint32,
    threadId: scalars.uint32,
    activityId: hexGuid,
    data: fc.oneof(
      fc.dictionary(name, value, { maxKeys: 8, noNullPrototype: true }),
      fc.array(value, { maxLength: 5 }),
    ),
    layout: fc.constantFrom('nested', 'direct', 'plain'),
  },
  { requiredKeys: ['provider', 'eventId', 'time', 'channel', 'computer'] },
);

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OutputRecord } from '../events/log-event.ts';
import { readEvtx } from '../readers/evtx/evtx-reader.ts';
import type { EvtxEvent } from './evtx-element.ts';
import { type EvtxValue, type TaggedValue, valueTexts } from './evtx-values.ts';
import { readAll, writeEvtx } from './index.ts';

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

const event: fc.Arbitrary<EvtxEvent> = fc.record(
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

describe('EVTX round trip', () => {
  it('reads what was written', async () => {
    const log = fc.array(event, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(log, fc.integer({ min: 1, max: 9 }), async (events, recordsPerChunk) => {
        const { records, heads, report } = await readAll(readEvtx, writeEvtx(events, { recordsPerChunk }));
        expect(report).toEqual({ records: events.length, problems: [] });
        expect(records.map(texts)).toEqual(events.map((written, i) => expected(written, i + 1)));
        expect(heads.map(({ recordId, eventId }) => [recordId, eventId])).toEqual(
          events.map(({ eventId }, i) => [String(i + 1), String(eventId)]),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('reads every kind of content', async () => {
    const userData = {
      name: 'Wire',
      attributes: { xmlns: 'http://example.test/wire', Id: { slot: 5 } },
      children: [
        { name: 'Mixed', children: ['a', { entity: 'lt' }, { charRef: 0x42 }, { cdata: '<c>' }, { slot: 'd' }] },
        { name: 'Inner', children: [{ nested: { name: 'Part', children: [{ slot: 'e' }] } }] },
        { name: 'Noted', children: [{ instruction: 'note', data: 'ignored' }, 'f'] },
      ],
    };
    const base = { provider: 'P', eventId: 1, time: '2026-03-01T10:00:00Z', channel: 'C', computer: 'W', userData };
    const written = (['nested', 'direct', 'plain'] as const).map((layout): EvtxEvent => ({ ...base, layout }));
    const { records, report } = await readAll(readEvtx, writeEvtx(written));
    expect(report).toEqual({ records: 3, problems: [] });
    for (const record of records.map(texts)) {
      expect(record).toMatchObject({ UserData_Root: 'Wire', Wire_Id: '5', Mixed: 'a<B<c>d', Part: 'e' });
    }
  });

  it('reads a damaged value as far as it goes', async () => {
    const short: EvtxValue = { type: 'raw', code: 0x08, bytes: Uint8Array.of(7) };
    const written: EvtxEvent = {
      provider: 'P',
      eventId: 1,
      time: 0n,
      channel: 'C',
      computer: 'W',
      data: { dShort: short, dNext: 'kept' },
    };
    const { records } = await readAll(readEvtx, writeEvtx([written]));
    expect(records[0]).toMatchObject({ dShort: 7, dNext: 'kept' });
  });
});

/** What a reader must give for an event: the texts of its values by name, empty ones left out. */
function expected(written: EvtxEvent, recordId: number): Record<string, string> {
  const { data = [] } = written;
  const named: [string, EvtxValue][] = Array.isArray(data)
    ? data.map((item: EvtxValue) => ['Data', item])
    : Object.entries(data);
  const found = new Map<string, string[]>();
  for (const [key, item] of [...systemValues(written, recordId), ...named]) {
    const items = valueTexts(item);
    // Without a template, all items of an array are one text.
    const given = written.layout === 'plain' ? [items.join(',')] : items;
    found.set(key, [...(found.get(key) ?? []), ...given.filter((one) => one !== '')]);
  }
  return Object.fromEntries(
    [...found].map(([key, items]) => [key, items.join('|')]).filter(([, joined]) => joined !== ''),
  );
}

function systemValues(written: EvtxEvent, recordId: number): [string, EvtxValue][] {
  return [
    ['Provider_Name', written.provider],
    ['Provider_Guid', written.providerGuid ?? null],
    ['EventID', written.eventId],
    ['Qualifiers', written.qualifiers ?? null],
    ['Version', written.version ?? 0],
    ['Level', written.level ?? 0],
    ['Task', written.task ?? 0],
    ['Opcode', written.opcode ?? 0],
    ['Keywords', { type: 'hex64', value: written.keywords ?? 0n }],
    ['TimeCreated_SystemTime', { type: 'filetime', value: written.time }],
    ['EventRecordID', recordId],
    ['Correlation_ActivityID', written.activityId ?? null],
    ['Execution_ProcessID', written.processId ?? 0],
    ['Execution_ThreadID', written.threadId ?? 0],
    ['Channel', written.channel],
    ['Computer', written.computer],
    ['Security_UserID', written.userSid ?? null],
  ];
}

function texts({ _offset, ...record }: OutputRecord): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, found]) => [key, [found].flat().map(String).join('|')]));
}

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OutputRecord } from '../events/log-event.ts';
import { readEvtx } from '../readers/evtx/evtx-reader.ts';
import type { EvtxEvent } from './evtx-element.ts';
import { evtxEvents } from './evtx-events.ts';
import { type EvtxValue, valueTexts } from './evtx-values.ts';
import { readAll, writeEvtx } from './index.ts';

describe('EVTX round trip', () => {
  it('reads what was written', async () => {
    const log = fc.array(evtxEvents, { minLength: 1, maxLength: 8 });
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

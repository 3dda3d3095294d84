import { describe, expect, it } from 'vitest';
import { matchedEvents, matchesIn } from './matched-lines.ts';
import { type Evidence, exportOf, groupsOf, matchAt, pageOf } from './matches.ts';

const rule = { ruleId: 'r1', ruleName: 'A "rule", ü' };
const line = (nth: number, over: object = {}): string =>
  `${JSON.stringify({
    ts: `2026-08-01T10:00:00.${nth}Z`,
    rule: { id: 'r1', title: 'A "rule", ü', level: 'high', tags: [] },
    nth: 1,
    computer: 'ws1',
    channel: null,
    event_id: '1',
    record_id: String(nth),
    record: { User: nth % 3 === 0 ? 'ann' : 'bob', _offset: nth, Image: `a${nth}.exe` },
    ...over,
  })}\n`;

/** Raw output of 120 matches, as many of another rule between them, in pieces that cut lines and characters. */
function evidence(pieces = 1000): Evidence {
  const other = { id: 'r1', title: 'A "rule"', level: 'high', tags: ['"rule":{"id":"r1","title":"A \\"rule\\", ü",'] };
  const lines = Array.from({ length: 120 }, (_, nth) => line(nth) + line(nth, { rule: other, nth: 2 }));
  const bytes = new TextEncoder().encode(lines.join(''));
  const cut = async function* (): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += pieces) yield bytes.subarray(at, at + pieces);
  };
  return { from: 'kept', complete: true, batches: (skip) => matchesIn(cut(), rule, skip) };
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += new TextDecoder().decode(chunk);
  return text;
}

describe('the matches of a finding', () => {
  it.each([7, 1000, 1_000_000])(
    'come a page at a time, and together are all of them (pieces of %d bytes)',
    async (pieces) => {
      const pages = [];
      for (let page = 1; ; page++) {
        const told = await pageOf(evidence(pieces), { page, filter: null });
        pages.push(told);
        if (!told.more) break;
      }
      expect(pages.map(({ events }) => events.length)).toEqual([50, 50, 20]);
      const ids = pages.flatMap(({ events }) => events.map(({ record_id }) => record_id));
      expect(ids).toEqual(Array.from({ length: 120 }, (_, nth) => String(nth)));
      expect(JSON.stringify(pages[0]!.events[1]!.fields)).toBe('{"User":"bob","Image":"a1.exe"}');
    },
  );

  it('are counted by the values of a field, and a value gives the events that were counted', async () => {
    const told = await groupsOf(evidence(), 'User');
    expect(told).toMatchObject({ events: 120, others: 0, values: { count: 2, more: false } });
    expect(told.groups).toEqual([
      { value: 'bob', count: 80 },
      { value: 'ann', count: 40 },
    ]);
    const ann = await pageOf(evidence(), { page: 1, filter: { field: 'User', value: 'ann' } });
    expect([ann.events.length, ann.more]).toEqual([40, false]);
    expect((await groupsOf(evidence(), 'Absent')).groups).toEqual([{ value: null, count: 120 }]);
    expect((await pageOf(evidence(), { page: 1, filter: { field: 'Absent', value: null } })).more).toBe(true);
    expect(ann.places).toEqual(Array.from({ length: 40 }, (_, nth) => 3 * nth));
    expect((await matchAt(evidence(), ann.places[7]!))?.recordId).toBe('21');
    expect(await matchAt(evidence(), 120)).toBeNull();
    const images = await groupsOf(evidence(), 'Image');
    expect([images.groups.length, images.others]).toEqual([100, 20]);
  });

  it.each<Record<string, unknown>>([
    { A: 'x', 'A"': 'y', B: '","A":"z', C: '\\' },
    { C: 'ends in \\', A: 'a "quote", \\" and \n a line' },
    { C: '{"A":"in a text"}', D: ['{"A":1}', ',"A":'] },
    { C: { A: 'deeper' }, A: 7 },
    { C: [{ A: 'deeper' }], A: false },
    { A: null, B: 1e21 },
    { A: 12.5 },
    { A: ['two', 'lines'] },
    { A: '' },
    { 'A:': 'x', record: '{', ',"record":{': 'A' },
    { _file: 'own', A: 'ü'.repeat(1200) },
  ])('have the same text in a field, found in the line or read whole: %j', async (record) => {
    const text = new TextEncoder().encode(line(1, { record }));
    const cut = async function* (): AsyncGenerator<Uint8Array> {
      yield text;
    };
    for await (const [match] of matchesIn(cut(), rule)) {
      const [whole] = matchedEvents([match!.event()]);
      expect(whole!.event().fields).toEqual(record);
      for (const field of ['A', 'A"', 'B', 'C', 'D', 'record', ',"record":{', '_file', 'level'])
        expect(match!.textOf(field)).toBe(whole!.textOf(field));
    }
  });

  it('are exported as lines and as a table', async () => {
    const lines = (await textOf(exportOf(evidence(), 'jsonl'))).trimEnd().split('\n');
    expect(lines).toHaveLength(120);
    expect(JSON.parse(lines[3]!)).toMatchObject({ record_id: '3', fields: { User: 'ann', Image: 'a3.exe' } });
    const rows = (await textOf(exportOf(evidence(), 'csv'))).trimEnd().split('\r\n');
    expect(rows.slice(0, 2)).toEqual([
      'record_id,timestamp,computer,channel,event_id,User,Image',
      '0,2026-08-01T10:00:00.0Z,ws1,,1,ann,a0.exe',
    ]);
    expect(rows).toHaveLength(121);
  });
});

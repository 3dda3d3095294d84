import { describe, expect, it } from 'vitest';
import type { ValueTable } from '../../events/value-table.ts';
import { ABSENT, EMPTY, NULL, type ValueId } from '../../events/value-id.ts';
import type { OutputRecord, OutputValue } from '../../events/log-event.ts';
import type { Route } from '../../events/route.ts';
import { type EvtxEvent as EventSpec, freshTables, readAll, sourceOf, writeEvtx } from '../../testing/index.ts';
import type { EvtxEvent } from './evtx-event.ts';
import { readEvtx } from './evtx-reader.ts';

const spec: EventSpec = {
  provider: 'Example-Provider',
  providerGuid: '{11111111-2222-3333-4444-555555555555}',
  eventId: 4688,
  time: '2026-03-01T10:00:00.1234567Z',
  recordId: 77,
  channel: 'Security',
  computer: 'ws-01.example.test',
};

const layouts = ['nested', 'direct', 'plain'] as const;

describe('value', () => {
  it.each(layouts)('finds System names, attributes and EventData in a %s record', async (layout) => {
    const data = { Image: 'C:\\a.exe', 'Threat Name': 'X', Pid: 4 };
    const found = await textsOf({ ...spec, layout, qualifiers: 3, userSid: 'S-1-5-18', data }, [
      'Image',
      'IMAGE',
      'ThreatName',
      'Pid',
      'EventID',
      'Qualifiers',
      'Channel',
      'EventLog',
      'Hostname',
      'Provider_Name',
      'Provider_Guid',
      'Security_UserID',
      'TimeCreated_SystemTime',
      'SystemTime',
      'EventRecordID',
    ]);
    const guid = layout === 'plain' ? spec.providerGuid : '{11111111-2222-3333-4444-555555555555}';
    expect(found).toEqual([
      'C:\\a.exe',
      'C:\\a.exe',
      'X',
      '4',
      '4688',
      '3',
      'Security',
      'Security',
      'ws-01.example.test',
      'Example-Provider',
      guid,
      'S-1-5-18',
      '2026-03-01T10:00:00.1234567Z',
      '2026-03-01T10:00:00.1234567Z',
      '77',
    ]);
  });

  it.each(layouts)('tells absent, empty and present apart in a %s record', async (layout) => {
    const ids = await valuesOf({ ...spec, layout, data: { Full: 'x', Empty: '' } }, [
      'Full',
      'Empty',
      'Nothing',
      'Correlation_ActivityID',
    ]);
    expect(ids[0]).toBeGreaterThan(EMPTY);
    expect(ids.slice(1)).toEqual([EMPTY, ABSENT, ABSENT]);
  });

  it('takes a value that is null for an empty element', async () => {
    expect(await valuesOf({ ...spec, data: { Null: null } }, ['Null'])).toEqual([NULL]);
  });

  it('takes optional elements without a value for absent', async () => {
    const userData = { name: 'Root', children: [{ name: 'Leaf', children: [{ slot: null, optional: true }] }] };
    expect(await valuesOf({ ...spec, userData }, ['Leaf'])).toEqual([ABSENT]);
  });

  it.each(layouts)('gives all unnamed values of a %s record', async (layout) => {
    expect(await textsOf({ ...spec, layout, data: ['a', 'b', ''] }, ['Data'])).toEqual([['a', 'b', '']]);
  });

  it('gives the items of an array, and one item alone as itself', async () => {
    const several = { type: 'array', of: 'string', items: ['a', 'b'] } as const;
    const one = { type: 'array', of: 'uint16', items: [7] } as const;
    const none = { type: 'array', of: 'string', items: [] } as const;
    expect(await textsOf({ ...spec, data: { several, one } }, ['several', 'one'])).toEqual([['a', 'b'], '7']);
    expect(await valuesOf({ ...spec, data: { none } }, ['none'])).toEqual([NULL]);
  });

  it.each([
    ['three values', ['Available', 'None', '\tHostName=ConsoleHost']],
    ['one array', [{ type: 'array', of: 'string', items: ['Available', 'None', '\tHostName=ConsoleHost'] } as const]],
  ])('joins the unnamed data of classic PowerShell: %s', async (_, data) => {
    const channel = 'Windows PowerShell';
    expect(await textsOf({ ...spec, channel, data }, ['Data'])).toEqual(['Available\nNone\n\tHostName=ConsoleHost']);
  });

  it('finds nested UserData by local name and by path', async () => {
    const userData = {
      name: 'ns:Operation',
      attributes: { xmlns: 'urn:example' },
      children: [
        { name: 'Client', attributes: { Port: '53' }, children: [{ name: 'Id', children: [{ slot: 'deep' }] }] },
        { name: 'Id', children: ['flat'] },
      ],
    };
    const fields = ['Id', 'Client.Id', 'UserData.Operation.Client.Id', 'Client_Port', 'UserData_Root', 'xmlns'];
    expect(await textsOf({ ...spec, userData }, fields)).toEqual([
      ['deep', 'flat'],
      'deep',
      'deep',
      '53',
      'Operation',
      '',
    ]);
  });

  it('asks for new handles when the table has started a new generation', async () => {
    const tables = freshTables();
    const fields = ['Image', 'Pid', 'Channel'].map((name) => tables.fields.id(name));
    const events = Array.from({ length: 3000 }, (_, i) => ({ ...spec, data: { Image: `C:\\${i}.exe`, Pid: i % 7 } }));
    const small = { ...tables, values: new (tables.values.constructor as typeof ValueTable)(50_000) };
    let i = 0;
    await readEvtx(sourceOf(writeEvtx(events)), small, (event) => {
      expect(fields.map((field) => small.values.text(event.value(field)))).toEqual([
        `C:\\${i}.exe`,
        String(i % 7),
        'Security',
      ]);
      expect(event.route.channel).toBe('Security');
      i++;
    });
    expect(i).toBe(3000);
    expect(small.values.generation).toBeGreaterThan(0);
  });
});

describe('route', () => {
  it('is one object for all records of a channel, provider and event id', async () => {
    const routes: Route[] = [];
    const events = [spec, { ...spec, recordId: 78 }, { ...spec, eventId: 1 }, { ...spec, channel: 'System' }, spec];
    await readEvtx(sourceOf(writeEvtx(events)), freshTables(), (event) => routes.push(event.route));
    expect(routes[1]).toBe(routes[0]);
    expect(routes[4]).toBe(routes[0]);
    expect(new Set(routes).size).toBe(3);
    expect(routes.map(({ channel, provider, eventId }) => [channel, provider, eventId].join(' '))).toEqual([
      'Security Example-Provider 4688',
      'Security Example-Provider 4688',
      'Security Example-Provider 1',
      'System Example-Provider 4688',
      'Security Example-Provider 4688',
    ]);
  });
});

describe('keywords', () => {
  it.each(layouts)('are the texts of EventData, not numbers nor System, of a %s record', async (layout) => {
    const data = { a: 'one', b: { type: 'array', of: 'string', items: ['two', 'three'] } as const, c: '' };
    const words = await first({ ...spec, layout, data }, keywordsOf);
    expect(words).toEqual(layout === 'plain' ? ['one', 'two,three'] : ['one', 'two', 'three']);
  });

  it('leave numbers out and stop when asked to', async () => {
    expect(await first({ ...spec, data: { a: 1, b: 'x' } }, keywordsOf)).toEqual(['x']);
    const stopped = await first({ ...spec, data: { a: 'x', b: 'y' } }, (event) => {
      const seen: ValueId[] = [];
      return [event.keywords((id) => seen.push(id) > 0), seen.length];
    });
    expect(stopped).toEqual([true, 1]);
  });

  it('are those of UserData as well', async () => {
    const userData = {
      name: 'Root',
      attributes: { kind: 'k' },
      children: [{ name: 'Leaf', children: [{ slot: 'v' }] }],
    };
    expect(await first({ ...spec, userData }, keywordsOf)).toEqual(['k', 'v']);
  });
});

describe('head and toRecord', () => {
  it.each(layouts)('give a %s record with numbers where the source has them', async (layout) => {
    const data = { Image: 'a.exe', Pid: 4, Big: 2n ** 60n, Flag: true, Empty: '', None: null };
    const { heads, records } = await readAll(readEvtx, writeEvtx([{ ...spec, layout, data }]));
    expect(heads).toEqual([
      {
        recordId: '77',
        timestamp: '2026-03-01T10:00:00.1234567Z',
        computer: 'ws-01.example.test',
        channel: 'Security',
        eventId: '4688',
      },
    ]);
    const typed = (value: number | boolean): OutputValue => (layout === 'plain' ? String(value) : value);
    expect(records[0]).toEqual({
      Provider_Name: 'Example-Provider',
      Provider_Guid: '{11111111-2222-3333-4444-555555555555}',
      EventID: typed(4688),
      Version: typed(0),
      Level: typed(0),
      Task: typed(0),
      Opcode: typed(0),
      Keywords: '0x0',
      TimeCreated_SystemTime: '2026-03-01T10:00:00.1234567Z',
      EventRecordID: typed(77),
      Execution_ProcessID: typed(0),
      Execution_ThreadID: typed(0),
      Channel: 'Security',
      Computer: 'ws-01.example.test',
      Image: 'a.exe',
      Pid: typed(4),
      Big: '1152921504606846976',
      Flag: typed(true),
      _offset: 4608,
    } satisfies OutputRecord);
  });

  it('gives arrays for repeated names, and takes odd names for what they are', async () => {
    const data = {
      list: { type: 'array', of: 'uint16', items: [1, 2] } as const,
      ['__proto__']: 'p',
      toString: 's',
    };
    const { records } = await readAll(readEvtx, writeEvtx([{ ...spec, data }]));
    expect(records[0]).toMatchObject({ list: [1, 2], toString: 's' });
    expect(Object.entries(records[0]!)).toContainEqual(['__proto__', 'p']);
  });
});

function keywordsOf(event: EvtxEvent): string[] {
  const words: string[] = [];
  event.keywords((id) => {
    words.push(event.values.text(id));
    return false;
  });
  return words;
}

async function textsOf(event: EventSpec, fields: readonly string[]): Promise<(string | string[])[]> {
  const tables = freshTables();
  return first(
    event,
    (read) =>
      fields.map((field) => {
        const id = read.value(tables.fields.id(field));
        const items = read.values.items(id);
        return items === undefined ? read.values.text(id) : items.map((item) => read.values.text(item));
      }),
    tables,
  );
}

async function valuesOf(event: EventSpec, fields: readonly string[]): Promise<ValueId[]> {
  const tables = freshTables();
  return first(event, (read) => fields.map((field) => read.value(tables.fields.id(field))), tables);
}

/** What `look` sees in the only event. The same event stands twice, as the second one finds all plans made. */
async function first<T>(event: EventSpec, look: (event: EvtxEvent) => T, tables = freshTables()): Promise<T> {
  const seen: T[] = [];
  const report = await readEvtx(sourceOf(writeEvtx([event, event])), tables, (read) => seen.push(look(read)));
  expect(report).toEqual({ records: 2, problems: [] });
  return seen[1]!;
}

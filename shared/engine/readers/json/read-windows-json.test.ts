import { describe, expect, it } from 'vitest';
import { readAll, sourceOf, freshTables } from '../../testing/index.ts';
import { ABSENT, EMPTY, NULL } from '../../events/value-id.ts';
import { readWindowsJson } from './read-windows-json.ts';

/** Ids of the records read, and the counts of the problems met. */
async function framed(input: string | Uint8Array): Promise<{ ids: unknown[]; problems: Record<string, number> }> {
  const { records, report } = await readAll(readWindowsJson, input);
  expect(report.records).toBe(records.length);
  return {
    ids: records.map((record) => record.EventID),
    problems: Object.fromEntries(report.problems.map(({ code, count }) => [code, count])),
  };
}

const framings: { what: string; input: string; ids: unknown[]; problems?: Record<string, number> }[] = [
  { what: 'lines', input: '{"EventID":1}\n{"EventID":2}\r\n\n{"EventID":3}', ids: [1, 2, 3] },
  { what: 'an array on one line', input: '[{"EventID":1},{"EventID":2} , {"EventID":3}]', ids: [1, 2, 3] },
  { what: 'an array, one per line', input: '[\n{"EventID":1},\n{"EventID":2}\n]\n', ids: [1, 2] },
  { what: 'an array, commas first', input: '[\n {"EventID":1}\n,{"EventID":2}\n]', ids: [1, 2] },
  {
    what: 'an indented array',
    input: JSON.stringify([{ EventID: 1, Deep: [{ a: 1 }, { b: 2 }] }, { EventID: 2 }], null, 2),
    ids: [1, 2],
  },
  {
    what: 'indented documents',
    input: `${JSON.stringify({ EventID: 1, D: [{ a: { b: [{}] } }] }, null, 4)}\n${JSON.stringify({ EventID: 2 }, null, '\t')}`,
    ids: [1, 2],
  },
  { what: 'several arrays', input: '[{"EventID":1}]\n[{"EventID":2}]', ids: [1, 2] },
  { what: 'no separator at all', input: '{"EventID":1}{"EventID":2}', ids: [1, 2] },
  {
    what: 'braces, quotes and escapes in strings',
    input: '{"a":"}{\\"]\\\\","EventID":1}\n{"EventID":2}',
    ids: [1, 2],
  },
  { what: 'a mark at the begin', input: '\uFEFF{"EventID":1}', ids: [1] },
  { what: 'nothing', input: '', ids: [] },
  { what: 'blanks', input: ' \n[ ]\n', ids: [] },
  {
    what: 'text between documents',
    input: 'Record 1\n{\n "EventID": 1\n}\nRecord 2\n{\n "EventID": 2\n}\n',
    ids: [1, 2],
    problems: { 'text-between-records': 2 },
  },
  {
    what: 'a line that is no JSON',
    input: '{"EventID":1}\n{"EventID":oops}\n{"EventID":3}',
    ids: [1, 3],
    problems: { 'record-malformed': 1 },
  },
  {
    what: 'a line cut in a string',
    input: '{"EventID":1}\n{"EventID":2,"a":"xx\n{"EventID":3}\n{"EventID":4}',
    ids: [1, 3, 4],
    problems: { 'record-malformed': 1 },
  },
  {
    what: 'a line cut after a comma',
    input: '{"EventID":1}\n{"EventID":2,\n{"EventID":3}\n{"EventID":4}',
    ids: [1, 3, 4],
    problems: { 'record-malformed': 1 },
  },
  {
    what: 'a line that lost its begin',
    input: '"a":{"EventID":9}}\n{"EventID":2}',
    ids: [2],
    problems: { 'text-between-records': 1 },
  },
  {
    what: 'a quote lost in an array on one line',
    input: '[{"EventID":1,"Image":"x},{"EventID":2,"Image":"y"},{"EventID":3}]',
    ids: [2, 3],
    problems: { 'record-malformed': 1 },
  },
  {
    what: 'a brace lost in an indented array',
    input: '[\n  {\n    "EventID": 1,\n    "D": {\n  },\n  {\n    "EventID": 2\n  }\n]',
    ids: [2],
    problems: { 'record-malformed': 1 },
  },
  {
    what: 'a brace lost in indented documents',
    input: '{\n "EventID": 1,\n "D": {"a": 1\n}\n{\n "EventID": 2\n}',
    ids: [2],
    problems: { 'record-malformed': 1 },
  },
  {
    what: 'an end in the middle',
    input: '{"EventID":1}\n{"EventID":2,"a":"',
    ids: [1],
    problems: { 'record-unfinished': 1 },
  },
  { what: 'mismatched brackets', input: '{"EventID":1]\n{"EventID":2}', ids: [2], problems: { 'record-malformed': 1 } },
];

describe('readWindowsJson framing', () => {
  it.each(framings)('$what', async ({ input, ids, problems = {} }) => {
    expect(await framed(input)).toEqual({ ids, problems });
  });

  it.each(framings)('UTF-16: $what', async ({ input, ids, problems = {} }) => {
    const little = Buffer.from(input.startsWith('\uFEFF') ? input : `\uFEFF${input}`, 'utf16le');
    expect(await framed(little)).toEqual({ ids, problems });
    expect(await framed(Buffer.from(little).swap16())).toEqual({ ids, problems });
  });

  it('finds the same records whatever the pieces that bytes come in', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `{"EventID":${i},"Text":"${'ä€😀'.repeat(i % 7)}"}`);
    for (const input of [lines.join('\n'), `[${lines.join(',')}]`]) {
      const { records, report } = await readAll(readWindowsJson, input);
      expect(report).toEqual({ records: lines.length, problems: [] });
      expect(records.map((record) => record.EventID)).toEqual(lines.map((_, i) => i));
      expect(records.every((record, i) => (record.Text ?? '') === 'ä€😀'.repeat(i % 7))).toBe(true);
    }
  });

  it('tells the offset of a record in the source, transcoded or not', async () => {
    const input = '[{"Text":"ä😀","EventID":1},\n {"EventID":2}]';
    const utf8 = Buffer.from(input);
    const plain = await readAll(readWindowsJson, utf8);
    expect(plain.records.map(({ _offset }) => _offset)).toEqual([1, utf8.indexOf('{"EventID":2')]);
    const utf16 = Buffer.from(`\uFEFF${input}`, 'utf16le');
    const wide = await readAll(readWindowsJson, utf16);
    expect(wide.records.map(({ _offset }) => _offset)).toEqual([4, utf16.indexOf('{"EventID":2', 0, 'utf16le')]);
  });

  it('cuts a record of more than 16 MiB and goes on behind it', async () => {
    const long = `{"EventID":2,"Text":"${'x'.repeat(17 * 1024 * 1024)}"}`;
    for (const input of [`{"EventID":1}\n${long}\n{"EventID":3}`, `[{"EventID":1},\n${long},\n{"EventID":3}]`]) {
      expect(await framed(input)).toEqual({ ids: [1, 3], problems: { 'record-too-long': 1 } });
    }
  });

  it('stops when told to, and tells how far it is', async () => {
    const bytes = new TextEncoder().encode('{"EventID":1}\n'.repeat(50_000));
    const done: number[] = [];
    await readWindowsJson(sourceOf(bytes), freshTables(), () => {}, { onProgress: (count) => done.push(count) });
    expect(done.length).toBeGreaterThan(2);
    expect(done.at(-1)).toBe(bytes.length);
    const stop = new AbortController();
    const reason = new Error('enough');
    const reading = readWindowsJson(sourceOf(bytes), freshTables(), () => stop.abort(reason), { signal: stop.signal });
    await expect(reading).rejects.toBe(reason);
  });
});

const system = { EventID: 1, Channel: 'C', Provider_Name: 'P', Computer: 'W' };
const layouts: { what: string; record: unknown; flat: Record<string, unknown> }[] = [
  {
    what: 'attributes under #attributes',
    record: {
      Event: {
        '#attributes': { xmlns: 'http://schemas.microsoft.com/win/2004/08/events/event' },
        System: {
          Provider: { '#attributes': { Name: 'P' } },
          EventID: { '#attributes': { Qualifiers: 16384 }, '#text': 1 },
          TimeCreated: { '#attributes': { SystemTime: '2024-01-01T00:00:00Z' } },
          Correlation: null,
          Channel: 'C',
          Computer: 'W',
        },
        EventData: { Image: 'a.exe', ProcessId: 7, Signed: true, Empty: '' },
      },
    },
    flat: {
      ...system,
      Qualifiers: 16384,
      TimeCreated_SystemTime: '2024-01-01T00:00:00Z',
      Image: 'a.exe',
      ProcessId: 7,
      Signed: true,
    },
  },
  {
    what: 'attributes beside, as X_attributes',
    record: {
      Event_attributes: { xmlns: 'x' },
      Event: {
        System: {
          Provider_attributes: { Name: 'P' },
          EventID_attributes: { Qualifiers: '1' },
          EventID: 1,
          Channel: 'C',
          Computer: 'W',
        },
        EventData_attributes: { Name: 'N' },
        EventData: { Image: 'a.exe' },
      },
    },
    flat: { ...system, Qualifiers: '1', EventData_Name: 'N', Image: 'a.exe' },
  },
  {
    what: 'no Event around',
    record: {
      System: { Provider: { Name: 'P', Guid: 'G' }, EventID: { Value: 1 }, Channel: 'C', Computer: 'W' },
      EventData: { Image: 'a.exe' },
      Message: 'told',
    },
    flat: { ...system, Provider_Guid: 'G', Image: 'a.exe', Message: 'told' },
  },
  {
    what: 'unnamed Data',
    record: { Event: { EventData: { Data: { '#text': ['a', '', 'b'] }, Binary: null } } },
    flat: { Data: ['a', 'b'] },
  },
  {
    what: 'Data with names as attributes',
    record: {
      Event: {
        EventData: {
          '#attributes': { Name: 'N' },
          Data: [
            { '#attributes': { Name: 'A' }, '#text': 'x' },
            { '#attributes': { Name: 'B' } },
            { '#attributes': { Name: 'C' }, '#text': ['y', 'z'] },
          ],
        },
      },
    },
    flat: { EventData_Name: 'N', A: 'x', C: ['y', 'z'] },
  },
  {
    what: 'UserData with attributes, repeated names and numbered keys',
    record: {
      Event: {
        UserData: {
          Wire: {
            '#attributes': { xmlns: 'x', Id: 5 },
            URL: { '#attributes': { scheme: 'http' }, '#text': 'u' },
            Info: { Header: 'a', Header_1: 'b', Header_2: 'c', Other_1: 'd' },
            Action: { '#attributes': { name: 'n' } },
            Action_1: { '#attributes': { name: 'm' } },
          },
        },
      },
    },
    flat: {
      UserData_Root: 'Wire',
      Wire_Id: 5,
      URL: 'u',
      URL_scheme: 'http',
      Header: ['a', 'b', 'c'],
      Other_1: 'd',
      Action_name: ['n', 'm'],
    },
  },
  {
    what: 'rendering',
    record: {
      Event: {
        System: { Level: 4, EventID: 1 },
        RenderingInfo: {
          '#attributes': { Culture: 'en-US' },
          Message: 'told',
          Level: 'Information',
          Keywords: { Keyword: ['Classic', 'Audit'] },
        },
        ProcessingErrorData: { ErrorCode: 15 },
      },
    },
    flat: {
      Level: 4,
      EventID: 1,
      RenderingInfo_Culture: 'en-US',
      Message: 'told',
      Level_Text: 'Information',
      Keywords_Text: ['Classic', 'Audit'],
      ErrorCode: 15,
    },
  },
  {
    what: 'one flat object',
    record: {
      EventID: 1,
      Channel: 'C',
      SourceName: 'P',
      Hostname: 'W',
      TimeCreated: '2024-01-01 00:00:00.5',
      '@timestamp': 'later',
      Image: 'a.exe',
      Message: 'told',
      Nested: { Inner: 1 },
    },
    flat: {
      ...system,
      TimeCreated_SystemTime: '2024-01-01 00:00:00.5',
      '@timestamp': 'later',
      Image: 'a.exe',
      Message: 'told',
      Inner: 1,
    },
  },
  {
    what: 'under _source',
    record: { _index: 'i', _source: { Event: { System: { EventID: 1 } } } },
    flat: { EventID: 1 },
  },
  {
    what: 'names that objects have anyway',
    record: JSON.parse('{"EventID":1,"__proto__":"a","constructor":"b"}'),
    flat: JSON.parse('{"EventID":1,"__proto__":"a","constructor":"b"}') as Record<string, unknown>,
  },
];

describe('readWindowsJson layouts', () => {
  it.each(layouts)('$what', async ({ record, flat }) => {
    const { records } = await readAll(readWindowsJson, JSON.stringify(record));
    const { _offset, ...found } = records[0]!;
    expect(found).toEqual(flat);
  });
});

describe('readWindowsJson events', () => {
  it('keeps integers that a number cannot hold', async () => {
    const input =
      '{"EventID":1,"Big":18446744073709551615,"Negative":-9223372036854775808,"Text":"12345678901234567890"}';
    const { records } = await readAll(readWindowsJson, input);
    expect(records[0]).toMatchObject({
      Big: '18446744073709551615',
      Negative: '-9223372036854775808',
      Text: '12345678901234567890',
    });
  });

  it('tells null, empty and absent apart, and gives numbers and booleans as text', async () => {
    const tables = freshTables();
    const input = '{"EventID":1,"Null":null,"Empty":"","Number":10.50,"True":true,"List":["a",2],"None":[]}';
    const seen: Record<string, unknown> = {};
    await readAll(
      readWindowsJson,
      input,
      (event) => {
        const value = (name: string): number => event.value(tables.fields.id(name));
        seen.states = ['Null', 'Empty', 'Missing', 'None'].map(value);
        seen.texts = ['Number', 'True', 'EventID'].map((name) => event.values.text(value(name)));
        seen.list = event.values.items(value('List'))?.map((id) => event.values.text(id));
      },
      { tables },
    );
    expect(seen).toEqual({ states: [NULL, EMPTY, ABSENT, NULL], texts: ['10.5', 'true', '1'], list: ['a', '2'] });
  });

  it('joins the unnamed values of classic PowerShell, and only there', async () => {
    const tables = freshTables();
    const texts: string[] = [];
    const data = tables.fields.id('Data');
    await readAll(
      readWindowsJson,
      `${unnamed('Windows PowerShell')}\n${unnamed('Application')}`,
      (event) => {
        const id = event.value(data);
        texts.push(
          event.values
            .items(id)
            ?.map((item) => event.values.text(item))
            .join('|') ?? event.values.text(id),
        );
      },
      { tables },
    );
    expect(texts).toEqual(['Started\n\nHostName=x', 'Started||HostName=x']);
  });

  it('searches EventData, UserData and the message for keywords, and stops when asked to', async () => {
    const record = {
      System: { EventID: 4104, Channel: 'C' },
      EventData: { A: 'one', B: '', C: null, D: ['two', 'three'] },
      UserData: { Root: { E: 'four' } },
      Message: 'five',
      RenderingInfo: { Level: 'Information' },
    };
    const texts: string[] = [];
    let stopped = 0;
    await readAll(readWindowsJson, JSON.stringify(record), (event) => {
      expect(event.keywords((id) => texts.push(event.values.text(id)) < 0)).toBe(false);
      expect(event.keywords(() => ++stopped === 2)).toBe(true);
    });
    expect(texts).toEqual(['one', 'two', 'three', 'four', 'five']);
    expect(stopped).toBe(2);
  });

  it('routes by channel, provider and event id, one route for equal ones', async () => {
    const lines = [1, 2, 1].map((id) => `{"EventID":${id},"Channel":"Security","SourceName":"P"}`);
    const routes: unknown[] = [];
    await readAll(readWindowsJson, lines.join('\n'), (event) => routes.push(event.route));
    expect(routes[0]).toMatchObject({ product: 'windows', channel: 'Security', provider: 'P', eventId: '1' });
    expect(routes[1]).not.toBe(routes[0]);
    expect(routes[2]).toBe(routes[0]);
  });

  it('keeps the first 4,096 values of a record and says so', async () => {
    const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, i])));
    const { records, report } = await readAll(readWindowsJson, `${wide}\n{"EventID":1}`);
    expect(Object.keys(records[0]!)).toHaveLength(4097);
    expect(report).toMatchObject({ records: 2, problems: [{ code: 'record-too-wide', count: 1, offset: 0 }] });
  });

  it('stops at nesting that no event has', async () => {
    const deep = `{"EventID":1,"A":${'{"A":'.repeat(100_000)}1${'}'.repeat(100_000)}}`;
    const deepEvent = `${'{"Event":'.repeat(50_000)}{}${'}'.repeat(50_000)}`;
    const { records } = await readAll(readWindowsJson, [deep, deepEvent, '{"EventID":2}'].join('\n'));
    expect(records.at(-1)).toMatchObject({ EventID: 2 });
  });
});

function unnamed(channel: string): string {
  const Data = { '#text': ['Started', '', 'HostName=x'] };
  return JSON.stringify({ Event: { System: { Channel: channel }, EventData: { Data } } });
}

import { describe, expect, it } from 'vitest';
import { ABSENT, EMPTY, NULL } from '../../events/value-id.ts';
import { freshTables, readAll, sourceOf } from '../../testing/index.ts';
import { readEventXml } from './read-event-xml.ts';

const ns = 'xmlns="http://schemas.microsoft.com/win/2004/08/events/event"';

function event(id: number, inner = ''): string {
  return `<Event ${ns}><System><EventID>${id}</EventID></System>${inner}</Event>`;
}

function data(name: string, text: string): string {
  return `<EventData><Data Name="${name}">${text}</Data></EventData>`;
}

const framings: { what: string; input: string; ids: string[]; problems?: Record<string, number> }[] = [
  { what: 'a run of events', input: `${event(1)}${event(2)}\r\n${event(3)}`, ids: ['1', '2', '3'] },
  {
    what: 'an Events document',
    input: `\uFEFF<?xml version="1.0" encoding="utf-8"?>\n<Events>\n${event(1)}\n${event(2)}</Events>`,
    ids: ['1', '2'],
  },
  { what: 'one event', input: event(1), ids: ['1'] },
  { what: 'nothing', input: '', ids: [] },
  { what: 'no event', input: '<Events></Events>', ids: [] },
  { what: 'text around', input: `Record 1\n${event(1)}\nRecord 2\n${event(2)}\n`, ids: ['1', '2'] },
  {
    what: 'prefixes',
    input: `<e:Events xmlns:e="x"><e:Event><e:System><e:EventID>1</e:EventID></e:System></e:Event></e:Events>`,
    ids: ['1'],
  },
  { what: 'events in comments', input: `<!-- ${event(9)} --><!---->${event(1)}<!-- </Event> --->`, ids: ['1'] },
  {
    what: 'ends of events in comments, CDATA and instructions',
    input:
      event(1, '<EventData><!-- </Event> --><Data><![CDATA[</Event>]]]]></Data><?x </Event>?></EventData>') + event(2),
    ids: ['1', '2'],
  },
  {
    what: 'elements called Event inside',
    input: event(1, '<UserData><Event Id="2"><Event/>x</Event><Events/></UserData>') + event(2),
    ids: ['1', '2'],
  },
  {
    what: 'a > in an attribute',
    input: `<Event a='>' b="/>"><System><EventID>1</EventID></System></Event>`,
    ids: ['1'],
  },
  { what: 'a document type', input: `<!DOCTYPE Events>${event(1)}`, ids: ['1'] },
  {
    what: 'an event without an end',
    input: `${event(1)}<Event ${ns}><System><EventID>2</EventID>\n${event(3)}${event(4)}`,
    ids: ['1', '3', '4'],
    problems: { 'record-malformed': 1 },
  },
  {
    what: 'tags that do not match',
    input: event(1, '<EventData><Data>x</Dat></EventData>') + event(2),
    ids: ['2'],
    problems: { 'record-malformed': 1 },
  },
  {
    what: 'an attribute without quotes',
    input: event(1, '<EventData><Data Name=x>y</Data></EventData>') + event(2),
    ids: ['2'],
    problems: { 'record-malformed': 1 },
  },
  {
    what: 'an end in the middle',
    input: `${event(1)}<Event ${ns}><System>`,
    ids: ['1'],
    problems: { 'record-unfinished': 1 },
  },
];

describe('readEventXml framing', () => {
  it.each(framings)('$what', async ({ input, ids, problems = {} }) => {
    const marked = input.startsWith('\uFEFF') ? input : `\uFEFF${input}`;
    const little = Buffer.from(marked, 'utf16le');
    for (const bytes of [Buffer.from(input), little, Buffer.from(little).swap16()]) {
      const { records, report } = await readAll(readEventXml, bytes);
      expect(records.map((record) => record.EventID)).toEqual(ids);
      expect(Object.fromEntries(report.problems.map(({ code, count }) => [code, count]))).toEqual(problems);
      expect(report.records).toBe(ids.length);
    }
  });

  it('finds the same events whatever the pieces that bytes come in', async () => {
    const events = Array.from({ length: 8000 }, (_, i) => event(i, data('T', 'ä€😀&amp;'.repeat(i % 7))));
    const { records, report } = await readAll(readEventXml, `<Events>${events.join('')}</Events>`);
    expect(report).toEqual({ records: events.length, problems: [] });
    expect(records.map((record) => record.EventID)).toEqual(events.map((_, i) => String(i)));
    expect(records.every((record, i) => (record.T ?? '') === 'ä€😀&'.repeat(i % 7))).toBe(true);
  });

  it('passes an event of more than 16 MiB and goes on behind it', async () => {
    const long = event(2, `<EventData><Data>${'x'.repeat(17 * 1024 * 1024)}</Data></EventData>`);
    const { records, report } = await readAll(readEventXml, event(1) + long + event(3));
    expect(records.map((record) => record.EventID)).toEqual(['1', '3']);
    expect(report.problems).toMatchObject([{ code: 'record-too-long', count: 1, offset: event(1).length }]);
  });

  it('tells the offset of an event and stops when told to', async () => {
    const { records } = await readAll(readEventXml, `<Events> ${event(1)}${event(2)}`);
    expect(records.map(({ _offset }) => _offset)).toEqual([9, 9 + event(1).length]);
    const stop = AbortSignal.abort(new Error('enough'));
    await expect(
      readEventXml(sourceOf(Buffer.from(event(1))), freshTables(), () => {}, { signal: stop }),
    ).rejects.toThrow('enough');
  });
});

const contents: { what: string; inner: string; flat: Record<string, unknown> }[] = [
  {
    what: 'System',
    inner: `<System><Provider Name='P &amp; Q' Guid="{g}"/><EventID Qualifiers="16384">1</EventID><Version>0</Version>
      <TimeCreated SystemTime="2024-01-01T00:00:00Z"></TimeCreated><Correlation/><Execution ProcessID='4' ThreadID='8'/>
      <Channel>C</Channel><Security UserID=""/></System>`,
    flat: {
      Provider_Name: 'P & Q',
      Provider_Guid: '{g}',
      EventID: '1',
      Qualifiers: '16384',
      Version: '0',
      TimeCreated_SystemTime: '2024-01-01T00:00:00Z',
      Execution_ProcessID: '4',
      Execution_ThreadID: '8',
      Channel: 'C',
    },
  },
  {
    what: 'EventData',
    inner: `<EventData Name="N"><Data Name="A">x</Data><Data Name='B'/><Data>one</Data><Data></Data><Data>two</Data>
      <Binary>00FF</Binary><ComplexData Name="c"><Part>y</Part></ComplexData></EventData>`,
    flat: {
      EventData_Name: 'N',
      A: 'x',
      Data: ['one', 'two'],
      Binary: '00FF',
      ComplexData_Name: 'c',
      Part: 'y',
    },
  },
  {
    what: 'UserData',
    inner: `<UserData><Wire xmlns="x" xmlns:a="y" Id="5"><URL scheme="http">u</URL><Info><Header>a</Header><Header>b</Header></Info>
      <a:Action name="n"></a:Action></Wire></UserData>`,
    flat: { UserData_Root: 'Wire', Wire_Id: '5', URL: 'u', URL_scheme: 'http', Header: ['a', 'b'], Action_name: 'n' },
  },
  {
    what: 'RenderingInfo',
    inner: `<System><Level>4</Level></System><RenderingInfo Culture='en-US'><Message>a&#13;
b</Message><Level>Information</Level><Keywords><Keyword>Classic</Keyword><Keyword>Audit</Keyword></Keywords></RenderingInfo>
      <ProcessingErrorData><ErrorCode>15</ErrorCode></ProcessingErrorData>`,
    flat: {
      Level: '4',
      RenderingInfo_Culture: 'en-US',
      Message: 'a\r\nb',
      Level_Text: 'Information',
      Keywords_Text: ['Classic', 'Audit'],
      ErrorCode: '15',
    },
  },
  {
    what: 'entities, CDATA, comments and blanks in text',
    inner: `<EventData><Data Name="A">&lt;&#65;&#x1F600;&gt;&quot;&apos;&unknown;&#x110000; &amp;amp;</Data>
      <Data Name="B">  kept  </Data><Data Name="C"><![CDATA[<&amp;>]]></Data><Data Name="D">a<!-- - -->b<![CDATA[c]]>&amp;</Data>
      <Data Name="E"><![CDATA[
]]></Data><Data Name="F">
      </Data></EventData>`,
    flat: {
      A: '<A😀>"\'&unknown;&#x110000; &amp;',
      B: '  kept  ',
      C: '<&amp;>',
      D: 'abc&',
      E: '\n',
    },
  },
  {
    what: 'an element of another kind',
    inner: '<DebugData><Sequence>1</Sequence></DebugData>',
    flat: { Sequence: '1' },
  },
];

describe('readEventXml content', () => {
  it.each(contents)('$what', async ({ inner, flat }) => {
    const { records } = await readAll(readEventXml, `<Event ${ns}>${inner}</Event>`);
    const { _offset, ...found } = records[0]!;
    expect(found).toEqual(flat);
  });

  it('tells an empty element, an empty attribute and nothing apart', async () => {
    const tables = freshTables();
    let states: number[] = [];
    await readAll(
      readEventXml,
      event(1, '<EventData><Data Name="A"/><Data Name="B"></Data><X y=""/></EventData>'),
      (read) => (states = ['A', 'B', 'X_y', 'X'].map((name) => read.value(tables.fields.id(name)))),
      { tables },
    );
    expect(states).toEqual([NULL, NULL, EMPTY, ABSENT]);
  });

  it('finds nested values by their dotted path', async () => {
    const tables = freshTables();
    const found: string[] = [];
    await readAll(
      readEventXml,
      event(1, '<UserData><Op><Client><Id>7</Id></Client></Op></UserData>'),
      (read) => {
        for (const name of ['Id', 'Client.Id', 'UserData.Op.Client.Id']) {
          found.push(read.values.text(read.value(tables.fields.id(name))));
        }
      },
      { tables },
    );
    expect(found).toEqual(['7', '7', '7']);
  });

  it('has equal values under one handle', async () => {
    const tables = freshTables();
    const image = tables.fields.id('Image');
    const ids: number[] = [];
    const texts = ['a.exe', 'b&amp;c', 'a.exe', 'b&amp;c'];
    await readAll(
      readEventXml,
      texts.map((text) => event(1, data('Image', text))).join(''),
      (read) => ids.push(read.value(image)),
      {
        tables,
      },
    );
    expect(ids[0]).toBe(ids[2]);
    expect(ids[1]).toBe(ids[3]);
    expect(ids.map((id) => tables.values.text(id))).toEqual(['a.exe', 'b&c', 'a.exe', 'b&c']);
  });

  it('refuses nesting that no event has', async () => {
    const { records, report } = await readAll(
      readEventXml,
      event(1, `<UserData>${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}</UserData>`) + event(2),
    );
    expect(records.map((record) => record.EventID)).toEqual(['2']);
    expect(report.problems).toMatchObject([{ code: 'record-malformed', count: 1 }]);
  });
});

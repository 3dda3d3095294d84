import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../../../test/support/shared-data.ts';
import { freshTables, readAll, sourceOf } from '../../testing/index.ts';
import { readEvtx } from '../evtx/evtx-reader.ts';
import { eventXml } from '../evtx/render-xml.ts';
import { readEventXml } from './read-event-xml.ts';
import { isWindowsEvent, type StoredRecord, writeEventXml } from './write-event-xml.ts';

const logon = {
  Provider_Name: 'Microsoft-Windows-Security-Auditing',
  Provider_Guid: '{54849625-5478-4994-A5BA-3E3B0328C30D}',
  EventID: 4624,
  Qualifiers: 16384,
  Version: 2,
  Keywords: '0x8020000000000000',
  TimeCreated_SystemTime: '2024-05-01T10:00:00.1234567Z',
  EventRecordID: 42,
  Correlation_ActivityID: '{A}',
  Execution_ProcessID: 4,
  Execution_ThreadID: 8,
  Channel: 'Security',
  Computer: 'ws01',
  Security_UserID: 'S-1-5-18',
};

const system = `  <System>
    <Provider Name="Microsoft-Windows-Security-Auditing" Guid="{54849625-5478-4994-A5BA-3E3B0328C30D}"/>
    <EventID Qualifiers="16384">4624</EventID>
    <Version>2</Version>
    <Keywords>0x8020000000000000</Keywords>
    <TimeCreated SystemTime="2024-05-01T10:00:00.1234567Z"/>
    <EventRecordID>42</EventRecordID>
    <Correlation ActivityID="{A}"/>
    <Execution ProcessID="4" ThreadID="8"/>
    <Channel>Security</Channel>
    <Computer>ws01</Computer>
    <Security UserID="S-1-5-18"/>
  </System>`;

const written: { what: string; record: StoredRecord; xml: string }[] = [
  {
    what: 'EventData with named, unnamed and binary values',
    record: { EventData_Name: 'N', TargetUserName: 'a<b>&"c"', Elevated: true, Data: ['one', 'two'], Binary: '00FF' },
    xml: `  <EventData Name="N">
    <Data Name="TargetUserName">a&lt;b&gt;&amp;&quot;c&quot;</Data>
    <Data Name="Elevated">true</Data>
    <Data>one</Data>
    <Data>two</Data>
    <Binary>00FF</Binary>
  </EventData>`,
  },
  {
    what: 'UserData under its root',
    record: { UserData_Root: 'LogFileCleared', SubjectUserName: 'eve', 'a name': 'x', Data: 'y' },
    xml: `  <UserData>
    <LogFileCleared>
      <SubjectUserName>eve</SubjectUserName>
      <Data Name="a name">x</Data>
      <Data>y</Data>
    </LogFileCleared>
  </UserData>`,
  },
  {
    what: 'UserData without values',
    record: { UserData_Root: ['Empty', 'Other'] },
    xml: `  <UserData>
    <Empty/>
    <Other/>
  </UserData>`,
  },
  {
    what: 'what was rendered',
    record: { RenderingInfo_Culture: 'en-US', Message: 'a\r\nb', Level_Text: 'Information', Keywords_Text: ['A', 'B'] },
    xml: `  <RenderingInfo Culture="en-US">
    <Message>a&#13;
b</Message>
    <Level>Information</Level>
    <Keywords>
      <Keyword>A</Keyword>
      <Keyword>B</Keyword>
    </Keywords>
  </RenderingInfo>`,
  },
  {
    what: 'data that is called as System or rendered values are',
    record: { Level: [4, 'High'], Message: 'hello' },
    xml: `  <EventData>
    <Data Name="Level">High</Data>
    <Data Name="Message">hello</Data>
  </EventData>`,
  },
  {
    what: 'characters that XML cannot hold, and blanks that are a value',
    record: { A: 'x\u0000\u001b\ud800\uffffy', B: ' \n\t', C: 'a\n\tb', 'D"\n': '1' },
    xml: `  <EventData>
    <Data Name="A">x\ufffd\ufffd\ufffd\ufffdy</Data>
    <Data Name="B"> &#10;&#9;</Data>
    <Data Name="C">a
\tb</Data>
    <Data Name="D&quot;&#10;">1</Data>
  </EventData>`,
  },
  {
    what: 'no data, and nothing of what the reader adds',
    record: { _offset: 7, _recovered: true, _file: 'a' },
    xml: '',
  },
];

describe('writeEventXml', () => {
  it.each(written)('writes $what', ({ record, xml }) => {
    const { Level, ...rest } = record;
    const level = Level === undefined ? {} : { Level };
    const head =
      Level === undefined ? system : system.replace('    <Keywords>', '    <Level>4</Level>\n    <Keywords>');
    const lines = [`<Event xmlns="http://schemas.microsoft.com/win/2004/08/events/event">`, head, xml, '</Event>'];
    expect(writeEventXml({ ...logon, ...level, ...rest })).toBe(lines.filter(Boolean).join('\n'));
  });

  it('is read as the record that was written, whatever stands in it', async () => {
    const systemNames = Object.keys(logon);
    const rendered = ['RenderingInfo_Culture', 'Message', 'Level_Text', 'Task_Text', 'Keywords_Text', 'Provider_Text'];
    const names = fc.oneof(
      fc.constantFrom(
        ...systemNames,
        ...rendered,
        'Data',
        'Binary',
        'EventData',
        'EventData_Name',
        '__proto__',
        'Name',
      ),
      fc.constantFrom('param1', 'User.Name', 'URL_scheme', 'ä', 'a:b', '1st', 'x y', '<&>"', 'Keyword', 'System'),
      text(1),
    );
    const scalar = fc.oneof(text(1), fc.integer(), fc.boolean(), fc.constantFrom(' ', '\n', '\r\n ', ']]>', '&amp;'));
    const value = fc.oneof(scalar, fc.array(scalar, { minLength: 2, maxLength: 4 }));
    const root = fc.constantFrom(
      {},
      { UserData_Root: 'Root' },
      { UserData_Root: ['A', 'B'] },
      { UserData_Root: 'a b' },
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, value, { maxKeys: 12 }), root, async (values, roots) => {
        const record = { ...values, ...roots };
        const { records, report } = await readAll(readEventXml, writeEventXml(record));
        expect(report).toEqual({ records: 1, problems: [] });
        const { _offset, ...read } = records[0]!;
        expect(read).toEqual(asTexts(record));
      }),
      { numRuns: 500 },
    );
  });

  it('knows which records it can write', () => {
    expect(isWindowsEvent(logon)).toBe(true);
    expect(isWindowsEvent({ EventID: 1, Provider_Name: 'P' })).toBe(true);
    expect(isWindowsEvent({ EventID: 1 })).toBe(false);
    expect(isWindowsEvent({ Channel: 'C', type: 'SYSCALL' })).toBe(false);
  });
});

describeWithSharedData('XML written from the records of a log', () => {
  it('is read as the XML that the log itself gives', async () => {
    const own: string[] = [];
    const rewritten: string[] = [];
    const log = readFileSync(sharedData('evtx', 'sysmon-atomic-red-team.evtx'));
    await readEvtx(sourceOf(log), freshTables(), (event) => {
      own.push(eventXml(event));
      rewritten.push(writeEventXml(event.toRecord()));
    });
    const [expected, found] = await Promise.all(
      [own, rewritten].map((events) => readAll(readEventXml, events.join(''))),
    );
    const values = ({ _offset, ...record }: StoredRecord) => record;
    expect(found!.records.map(values)).toEqual(expected!.records.map(values));
    expect(found!.heads).toEqual(expected!.heads);
    expect(found!.records.length).toBeGreaterThan(100);
  });
});

/** Of characters that XML can hold. */
function text(minLength: number): fc.Arbitrary<string> {
  const allowed = fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCodePoint(code));
  const unit = fc.oneof(allowed, fc.constantFrom('\n', '\r', '\t', '<', '&', '"', "'", '€', '😀', '\ufeff'));
  return fc.string({ unit, minLength, maxLength: 12 });
}

function asTexts(record: StoredRecord): StoredRecord {
  const entries = Object.entries(record).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(String) : String(value),
  ]);
  return Object.fromEntries(entries) as StoredRecord;
}

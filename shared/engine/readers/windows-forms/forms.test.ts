import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { namedForms, orderedForms, sysmonMessages, writtenEvents } from '../../../../test/support/windows-forms.ts';
import { analyze, detectLogType } from '../../index.ts';
import { readAll, sourceOf } from '../../testing/index.ts';
import { shippedRules } from '../../testing/shipped-rules.ts';
import { readCsv } from '../csv/read-csv.ts';
import { readWindowsJson } from '../json/read-windows-json.ts';

const folder = new URL('../../../../config/', import.meta.url);
const { rules } = await shippedRules();
const samples = ['security', 'sysmon', 'powershell'].map((name) => ({
  name,
  log: readFileSync(new URL(`samples/intrusion-${name}.evtx`, folder)),
}));

function bytesOf(log: Uint8Array | string): Uint8Array {
  return typeof log === 'string' ? new TextEncoder().encode(log) : log;
}

async function found(log: Uint8Array | string): Promise<Readonly<Record<string, number>>> {
  const { findings, problems } = await analyze(sourceOf(bytesOf(log)), { rules, logType: 'auto', maxSamples: 0 });
  expect(problems).toEqual([]);
  return Object.fromEntries(findings.map(({ ruleName, count }) => [ruleName, count]));
}

async function recordOf(event: object | string): Promise<Readonly<Record<string, unknown>>> {
  const text = typeof event === 'string' ? event : JSON.stringify(event);
  expect(detectLogType(bytesOf(text))).toBe('json_evtx');
  const { records } = await readAll(readWindowsJson, text);
  expect(records).toHaveLength(1);
  return records[0]!;
}

describe('samples in the forms of tools', () => {
  const forms = Object.entries({ ...namedForms, ...orderedForms });

  it.each(samples.flatMap(({ name, log }) => forms.map(([form, write]) => ({ name, form, log, write }))))(
    'have the same findings: $name in $form',
    async ({ log, write }) => {
      const written = write(await writtenEvents(log));
      expect(detectLogType(bytesOf(written).subarray(0, 65_536))).toBe('json_evtx');
      expect(await found(written)).toEqual(await found(log));
    },
  );

  it('have the same findings where only the message tells what happened', async () => {
    const { log } = samples[1]!;
    expect(await found(sysmonMessages(await writtenEvents(log)))).toEqual(await found(log));
  });
});

const time = '2024-03-01T10:00:00.123Z';
const winEvent = { Id: 4634, ProviderName: 'Microsoft-Windows-Security-Auditing', LogName: 'Security', RecordId: 12 };

describe('the count of events without their data', () => {
  const event = { ...winEvent, Id: 4688, TimeCreated: time };
  const row = { ...event, Message: '' };
  const message = 'A new process has been created.\r\n\r\nProcess Information:\r\n\tNew Process Name:\tC:\\a.exe';
  const told = { code: 'event-data-untold', count: 1 };
  const table = (text: string): string =>
    `${Object.keys(row).join(',')}\n${Object.values({ ...row, Message: text }).join(',')}\n`;

  it.each([
    ['has one with neither values nor a message', JSON.stringify(event), [told]],
    [
      'has one with a message in another language',
      JSON.stringify({ ...event, Message: 'Ein Prozess wurde erstellt.' }),
      [told],
    ],
    ['leaves out one with a message in English', JSON.stringify({ ...event, Message: message }), []],
    ['leaves out one of a kind that has no data', JSON.stringify({ ...event, Id: 4608 }), []],
    ['leaves out one with the data beside it', JSON.stringify({ ...event, NewProcessName: 'C:\\a.exe' }), []],
    ['has a row without', table(''), [told]],
    ['leaves out a row with it', table(`"${message}"`), []],
  ])('%s', async (_, log, problems) => {
    const analysis = await analyze(sourceOf(bytesOf(log)), { rules, logType: 'auto', maxSamples: 0 });
    expect(analysis).toMatchObject({ events: 1 });
    expect(analysis.problems).toMatchObject(problems);
    expect(analysis.problems).toHaveLength(problems.length);
  });
});

describe('events of Get-WinEvent', () => {
  it.each([
    ['/Date(ms)/', '/Date(1709287200123)/', time],
    ['ISO 8601', '2024-03-01T12:00:00.1230000+02:00', '2024-03-01T10:00:00.123Z'],
    ['an object', { value: '/Date(1709287200123)/', DisplayHint: 2, DateTime: 'Friday' }, time],
    ['an object with a text', { DateTime: '2024-03-01T10:00:00.123Z' }, time],
  ])('have their time as %s', async (_, TimeCreated, expected) => {
    const { heads } = await readAll(readWindowsJson, JSON.stringify({ ...winEvent, TimeCreated }));
    expect(Date.parse(heads[0]!.timestamp!)).toBe(Date.parse(expected));
    expect(heads[0]).toMatchObject({ eventId: '4634', channel: 'Security', recordId: '12' });
  });

  it('have no time where it is none', async () => {
    for (const TimeCreated of ['/Date(999999999999999)/', 'yesterday', null]) {
      const { heads } = await readAll(readWindowsJson, JSON.stringify({ ...winEvent, TimeCreated }));
      expect(heads[0]!.timestamp).toBeNull();
    }
  });

  it('have values under the names of their order, numbers as Windows writes them', async () => {
    const values = [{ BinaryLength: 12, Value: 'S-1-5-18' }, 'bob', 'CORP', 999, 3].map((Value) => ({ Value }));
    const event = { ...winEvent, TimeCreated: time, Keywords: 0, Properties: values };
    // Longer than numbers of JavaScript hold.
    const text = JSON.stringify(event).replace('"Keywords":0', '"Keywords":-9214364837600034816');
    expect(await recordOf(text)).toMatchObject({
      TargetUserSid: 'S-1-5-18',
      TargetUserName: 'bob',
      TargetLogonId: '0x3e7',
      LogonType: 3,
      Keywords: '0x8020000000000000',
    });
  });

  it('have numbers that .NET takes for negative, and pointers', async () => {
    const exit = { ...winEvent, Id: 4689, TimeCreated: time };
    const values = ['S-1-5-18', 'a', 'b', 1, -1_073_741_819, { value: 4660 }, 'p'].map((Value) => ({ Value }));
    expect(await recordOf({ ...exit, Properties: values })).toMatchObject({
      Status: '0xc0000005',
      ProcessId: '0x1234',
    });
  });

  it('keep values whose names are not known, as those without names', async () => {
    const unknown = { ...winEvent, Id: 1, ProviderName: 'Some', TimeCreated: time };
    expect(await recordOf({ ...unknown, Properties: [{ Value: 'a' }, { Value: 2 }] })).toMatchObject({
      Data: ['a', 2],
    });
  });

  it('have what a script has added as data', async () => {
    expect(await recordOf({ ...winEvent, MachineName: 'W', TargetUserName: 'bob' })).toMatchObject({
      TargetUserName: 'bob',
      Computer: 'W',
    });
  });

  it('are in tables of Export-Csv, too', async () => {
    const table = [
      '#TYPE System.Diagnostics.Eventing.Reader.EventLogRecord',
      '"Message","Id","ProviderName","LogName","MachineName","TimeCreated","Properties"',
      '"A user account was enabled.\r\n\r\nSubject:\r\n\tSecurity ID:\t\tS-1-5-18\r\n\tAccount Name:\t\tadmin\r\n\r\nTarget Account:\r\n\tAccount Name:\t\tbob","4722","Microsoft-Windows-Security-Auditing","Security","W","3/1/2024 10:00:00 AM","System.Collections.Generic.List`1[x]"',
    ].join('\r\n');
    expect(detectLogType(bytesOf(table))).toBe('csv');
    const { records, heads } = await readAll(readCsv, table);
    expect(records[0]).toMatchObject({ SubjectUserName: 'admin', TargetUserName: 'bob', SubjectUserSid: 'S-1-5-18' });
    expect(heads[0]).toMatchObject({ timestamp: '2024-03-01T10:00:00Z', channel: 'Security', computer: 'W' });
  });
});

describe('events of Get-EventLog', () => {
  const event = {
    MachineName: 'W',
    Index: 7,
    EntryType: 'Information',
    Source: 'Service Control Manager',
    TimeGenerated: '/Date(1709287200123)/',
    Message: 'm',
  };

  it('have their id from the number of their instance, and the log that their source writes to', async () => {
    const given = { ...event, InstanceId: 1_073_748_869, ReplacementStrings: ['s', 'p', 't', 'auto', 'LocalSystem'] };
    expect(await recordOf(given)).toMatchObject({
      EventID: '7045',
      Channel: 'System',
      ServiceName: 's',
      ImagePath: 'p',
    });
  });

  it.each([
    ['Microsoft-Windows-Eventlog', 1102, 'Security'],
    ['Microsoft-Windows-Eventlog', 105, undefined],
    ['PowerShell', 400, 'Windows PowerShell'],
    ['constructor', 400, undefined],
  ])('of %s with id %d are of the log %s', async (Source, EventID, channel) => {
    expect((await recordOf({ ...event, Source, EventID })).Channel).toBe(channel);
  });

  it('are in tables of Export-Csv, too', async () => {
    const { records } = await readAll(
      readCsv,
      'EventID,MachineName,Index,EntryType,Message,Source,InstanceId,TimeGenerated\n7045,W,1,Information,"A service was installed in the system.\n\nService Name:  s\nService File Name:  cmd.exe /c x\nService Type:  user mode service",Service Control Manager,1,3/1/2024 10:00:00 AM',
    );
    expect(records[0]).toMatchObject({ EventID: '7045', Channel: 'System', ImagePath: 'cmd.exe /c x' });
  });
});

describe('tables of Event Viewer', () => {
  it.each([
    [
      'on several lines',
      '"A new process has been created.\r\n\r\nProcess Information:\r\n\tNew Process Name:\tC:\\a.exe"',
      { NewProcessName: 'C:\\a.exe' },
    ],
    ['on one', 'A process.', {}],
  ])('have a message %s behind their columns', async (_, message, data) => {
    const table = `Keywords,Date and Time,Source,Event ID,Task Category\r\nAudit Success,3/1/2024 10:00:00 AM,Microsoft-Windows-Security-Auditing,4688,Process Creation,${message}\r\n`;
    expect(detectLogType(bytesOf(table))).toBe('csv');
    const { records, heads } = await readAll(readCsv, table);
    expect(records[0]).toMatchObject(data);
    expect(heads[0]).toMatchObject({ eventId: '4688', channel: 'Security', timestamp: '2024-03-01T10:00:00Z' });
  });
});

describe('events of Wazuh', () => {
  const win = {
    system: {
      providerName: 'Microsoft-Windows-Security-Auditing',
      eventID: '4688',
      channel: 'Security',
      message: '"m"',
    },
    eventdata: { commandLine: String.raw`\"C:\\a b.exe\" \\\\h\\s`, newProcessName: String.raw`C:\\a b.exe` },
  };

  it('have data with its backslashes and quotes, and names with capitals', async () => {
    expect(await recordOf({ agent: { id: '1' }, data: { win } })).toMatchObject({
      CommandLine: String.raw`"C:\a b.exe" \\h\s`,
      NewProcessName: String.raw`C:\a b.exe`,
      Message: 'm',
    });
  });

  it('are in documents of its index, and where the event stands alone', async () => {
    for (const record of [{ _index: 'wazuh-alerts', _source: { agent: {}, data: { win } } }, { win }]) {
      expect(await recordOf(record)).toMatchObject({ EventID: '4688' });
    }
  });

  it('are taken as they are where nothing was escaped twice', async () => {
    const eventdata = { commandLine: String.raw`\\h\s\a.exe` };
    expect(await recordOf({ data: { win: { ...win, eventdata } } })).toMatchObject({
      CommandLine: String.raw`\\h\s\a.exe`,
    });
  });

  it('leave other records of an agent what they are', () => {
    const linux = '{"agent":{"id":"1"},"data":{"srcip":"192.0.2.1"},"decoder":{"name":"sshd"}}';
    expect(detectLogType(bytesOf(linux))).toBe('json_winlogbeat');
  });
});

it('takes what has some of the keys of a tool for no event of Windows', () => {
  for (const text of [
    '{"Id":1,"ProviderName":"p"}',
    '{"EventId":1,"Payload":"{}"}',
    '{"Id":{},"LogName":"l","TimeCreated":1}',
  ]) {
    expect(detectLogType(bytesOf(text))).toBe('json');
  }
});

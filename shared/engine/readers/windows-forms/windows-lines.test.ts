import { describe, expect, it } from 'vitest';
import type { OutputRecord } from '../../events/log-event.ts';
import { freshTables, sourceOf } from '../../testing/read-all.ts';
import { detectLogType } from '../detect-log-type.ts';
import type { ReadReport } from '../reader.ts';
import { readerFor } from '../readers.ts';

interface Read {
  readonly type: string;
  readonly records: readonly OutputRecord[];
  readonly problems: ReadReport['problems'];
  readonly products: readonly (string | undefined)[];
}

async function read(log: string): Promise<Read> {
  const bytes = new TextEncoder().encode(log);
  const type = detectLogType(bytes);
  const records: OutputRecord[] = [];
  const products: (string | undefined)[] = [];
  const report = await readerFor(type)!(
    sourceOf(bytes),
    freshTables(),
    (event) => {
      records.push(event.toRecord());
      products.push(event.route.product);
    },
    { now: Date.UTC(2026, 10, 21) },
  );
  return { type, records, products, problems: report.problems };
}

const started =
  'A new process has been created.    Creator Subject:   Security ID:  S-1-5-18   Account Name:  W1$   ' +
  'Account Domain:  LAB   Logon ID:  0x3E7    Target Subject:   Security ID:  S-1-0-0   Account Name:  -   ' +
  'Account Domain:  -   Logon ID:  0x0    Process Information:   New Process ID:  0x1a2b   ' +
  'New Process Name: C:\\Windows\\System32\\whoami.exe   Token Elevation Type: TokenElevationTypeFull (2)   ' +
  'Mandatory Label:  S-1-16-12288   Creator Process ID: 0x4b0   Creator Process Name: C:\\a\\b.exe   ' +
  'Process Command Line: whoami  /all    Token Elevation Type indicates the type of token that was assigned.';
const fields = (separator: string, message = started): string =>
  [
    '1',
    'Security',
    '27',
    'Wed Mar 04 08:15:00 2026',
    '4688',
    'Windows',
    'N/A',
    'N/A',
    'Success Audit',
    'w1.lab.example',
  ]
    .concat('Process Creation', '', message, '27')
    .join(separator);
const startedData = {
  Provider_Name: 'Microsoft-Windows-Security-Auditing',
  Channel: 'Security',
  EventID: '4688',
  Computer: 'w1.lab.example',
  TimeCreated_SystemTime: '2026-03-04T08:15:00Z',
  SubjectUserSid: 'S-1-5-18',
  SubjectUserName: 'W1$',
  TargetUserName: '-',
  NewProcessId: '0x1a2b',
  NewProcessName: 'C:\\Windows\\System32\\whoami.exe',
  TokenElevationType: '%%1937',
  MandatoryLabel: 'S-1-16-12288',
  ProcessId: '0x4b0',
  ParentProcessName: 'C:\\a\\b.exe',
  CommandLine: 'whoami  /all',
};

describe('lines of Snare', () => {
  it.each([
    ['behind a head of the system log', `<14>Mar  4 08:15:01 w1 MSWinEventLog\t${fields('\t')}\n`, 'syslog'],
    ['with a tab behind the host', `<14>Mar  4 08:15:01 w1\tMSWinEventLog\t${fields('\t')}\n`, 'syslog'],
    ['behind a head of RFC 5424', `<13>1 2026-03-04T08:15:01Z w1 - - - - MSWinEventLog\t${fields('\t')}\n`, 'syslog'],
    ['as rsyslog writes tabs', `Mar  4 08:15:01 relay w1#011MSWinEventLog#011${fields('#011')}\n`, 'syslog'],
    ['as they are', `w1\tMSWinEventLog\t${fields('\t')}\n`, 'network'],
    ['without a host', `MSWinEventLog\t${fields('\t')}\tadded: on the way\n`, 'network'],
  ])('are Windows events %s', async (_, log, expected) => {
    const { type, records, products, problems } = await read(log);
    expect(type).toBe(expected);
    expect(products).toEqual(['windows']);
    expect(records[0]).toMatchObject(startedData);
    expect(records[0]).not.toHaveProperty('User_Text');
    expect(problems).toEqual([]);
  });

  it('may have Sysmon’s message, with values that look like its names', async () => {
    const message =
      'Process Create:  RuleName: -  UtcTime: 2026-03-04 08:15:00.000  Image: C:\\x.exe  ' +
      'CommandLine: x.exe User: nobody  CurrentDirectory: C:\\  User: LAB\\eve  Hashes: MD5=1';
    const line = fields('\t', message)
      .replace('Security', 'Microsoft-Windows-Sysmon/Operational')
      .replace('\t4688\t', '\t1\t');
    const { records } = await read(`w1\tMSWinEventLog\t${line}\n`);
    expect(records[0]).toMatchObject({
      Provider_Name: 'Microsoft-Windows-Sysmon',
      Image: 'C:\\x.exe',
      CommandLine: 'x.exe User: nobody',
      User: 'LAB\\eve',
      Hashes: 'MD5=1',
    });
  });

  it('may have a script, whose lines stay joined', async () => {
    const message =
      'Creating Scriptblock text (1 of 1):  iex  (gc a)    ScriptBlock ID: 7d8a6a43-9c3b-4a37-8d3e-6f1f2a1b3c4d  Path: C:\\a.ps1';
    const line = fields('\t', message)
      .replace('Security', 'Microsoft-Windows-PowerShell/Operational')
      .replace('\t4688\t', '\t4104\t');
    const { records } = await read(`w1\tMSWinEventLog\t${line}\n`);
    expect(records[0]).toMatchObject({ ScriptBlockText: 'iex  (gc a)', Path: 'C:\\a.ps1' });
  });

  it('stand among messages of other systems', async () => {
    const log = `Mar  4 08:15:00 l1 sshd[7]: Accepted publickey for eve\nMar  4 08:15:01 w1 MSWinEventLog\t${fields('\t')}\nMar  4 08:15:02 l1 sshd[7]: session closed\n`;
    expect((await read(log)).products).toEqual(['linux', 'windows', 'linux']);
  });

  it('in another language are told to lack their data', async () => {
    const { records, problems } = await read(`w1\tMSWinEventLog\t${fields('\t', 'Ein Prozess wurde erstellt.')}\n`);
    expect(records[0]).not.toHaveProperty('NewProcessName');
    expect(problems).toMatchObject([{ code: 'event-data-untold', count: 1 }]);
  });
});

const cef = (id: string, extension: string, header = 'Microsoft|Microsoft Windows'): string =>
  `CEF:0|${header}||${id}|A title.|Low|${extension}\n`;
const security = 'Microsoft-Windows-Security-Auditing';

describe('lines of CEF', () => {
  it('have data by their labels, and by what keys mean for the event', async () => {
    const line = cef(
      `${security}:4688`,
      String.raw`externalId=4688 cat=Security rt=1772612100000 dhost=w1.lab.example dntdom=LAB duser=eve duid=0x99 dproc=C:\\Windows\\System32\\whoami.exe cs2=Detailed Tracking:Process Creation cs3=0x1a2b cs4=whoami /all a\=b cs5=0x4b0 cs6=TokenElevationTypeFull (2) cs2Label=EventlogCategory cs3Label=New Process ID cs4Label=Process Command Line cs5Label=Creator Process ID cs6Label=Process Information:Token Elevation Type dvchost=w1.lab.example ad.EventRecordID=77 ad.ProcessID=4`,
    );
    for (const [log, type] of [
      [line, 'network'],
      [`<14>Mar  4 08:15:01 collector ${line}`, 'syslog'],
    ] as const) {
      const found = await read(log);
      expect(found.type).toBe(type);
      expect(found.products).toEqual(['windows']);
      expect(found.records[0]).toMatchObject({
        Provider_Name: security,
        Channel: 'Security',
        EventID: '4688',
        EventRecordID: '77',
        Computer: 'w1.lab.example',
        TimeCreated_SystemTime: '2026-03-04T08:15:00.000Z',
        SubjectUserName: 'eve',
        SubjectDomainName: 'LAB',
        SubjectLogonId: '0x99',
        NewProcessName: 'C:\\Windows\\System32\\whoami.exe',
        NewProcessId: '0x1a2b',
        ProcessId: '0x4b0',
        CommandLine: 'whoami /all a=b',
        TokenElevationType: '%%1937',
      });
    }
  });

  it.each([
    [
      'logons',
      '4624',
      'duser=eve dntdom=LAB suser=W1$ src=192.0.2.7 spt=4 cn1=3 cn1Label=Logon Type cs5=NTLM cs5Label=Authentication Package Name deviceProcessName=NtLmSsp ad.TargetUserSid=S-1-5-7 ad.SubjectUserSid=NULL SID ad.KeyLength=128',
      {
        TargetUserName: 'eve',
        TargetDomainName: 'LAB',
        SubjectUserName: 'W1$',
        IpAddress: '192.0.2.7',
        IpPort: '4',
        LogonType: '3',
        AuthenticationPackageName: 'NTLM',
        LogonProcessName: 'NtLmSsp',
        TargetUserSid: 'S-1-5-7',
        KeyLength: '128',
      },
      ['SubjectUserSid'],
    ],
    [
      'checked passwords',
      '4776',
      'shost=PC9 duser=eve cs4=0xc000006a cs4Label=Reason or Error Code',
      { Workstation: 'PC9', TargetUserName: 'eve', Status: '0xc000006a' },
      [],
    ],
    [
      'what was kept of the event',
      '4634',
      String.raw`rawEvent=EventID\=4634&&Subject:Security ID\=S-1-5-21-9&&Subject:Account Name\=eve&&Logon Type\=3 cat=Security`,
      { TargetUserSid: 'S-1-5-21-9', TargetUserName: 'eve', LogonType: '3' },
      [],
    ],
    [
      'changed groups, of which an account’s part is not told',
      '4732',
      'duser=eve ad.Group:Group_,Name=Administrators',
      { TargetUserName: 'Administrators' },
      ['SubjectUserName'],
    ],
  ])('tell of %s', async (_, eventId, extension, expected, without) => {
    const { records } = await read(cef(`${security}:${eventId}`, `externalId=${eventId} ${extension}`));
    expect(records[0]).toMatchObject({ EventID: eventId, Channel: 'Security', ...expected });
    for (const name of without) expect(records[0]).not.toHaveProperty(name);
  });

  it('of NXLog have the event’s own names', async () => {
    const { records, products } = await read(
      cef(
        '0',
        `end=1772612100000 dvchost=w1 externalId=1 SourceName=Microsoft-Windows-Sysmon RecordNumber=5 ExecutionProcessID=6 Channel=Microsoft-Windows-Sysmon/Operational Image=C:\\\\x.exe CommandLine=x -a\\=b ParentImage=C:\\y.exe`,
        'NXLog|NXLog',
      ),
    );
    expect(products).toEqual(['windows']);
    expect(records[0]).toMatchObject({
      Provider_Name: 'Microsoft-Windows-Sysmon',
      Channel: 'Microsoft-Windows-Sysmon/Operational',
      EventRecordID: '5',
      Computer: 'w1',
      Image: 'C:\\x.exe',
      CommandLine: 'x -a=b',
      ParentImage: 'C:\\y.exe',
    });
    expect(records[0]).not.toHaveProperty('ExecutionProcessID');
  });

  it('of anything else stay what they were', async () => {
    const { records } = await read(
      cef('4625', 'src=192.0.2.1 suser=eve act=denied', 'Microsoft|Windows') + cef('1', 'src=192.0.2.1', 'V|P'),
    );
    expect(records).toMatchObject([{ 'cef.id': '4625', src: '192.0.2.1' }, { 'cef.vendor': 'V' }]);
  });
});

it('lines of LEEF have the event’s own names, too', async () => {
  const pairs = ['Channel=Security', `SourceName=${security}`, 'EventID=4624', 'Hostname=w1', 'TargetUserName=eve'];
  for (const [version, separator] of [
    ['1.0|NXLog|eventlog|5|4624|', '\t'],
    ['2.0|NXLog|eventlog|5|4624|^|', '^'],
  ] as const) {
    const { records, products } = await read(`LEEF:${version}${pairs.join(separator)}\n`);
    expect(products).toEqual(['windows']);
    expect(records[0]).toMatchObject({ EventID: '4624', TargetUserName: 'eve', Computer: 'w1' });
  }
});

it.each(['\t', ' '])('lines of WinCollect have a message', async (separator) => {
  const line = [
    'AgentDevice=WindowsLog',
    'AgentLogFile=Security',
    `Source=${security}`,
    'Computer=w1',
    'User=',
    'EventID=4688',
    'EventIDCode=4688',
    'RecordNumber=9',
    'TimeGenerated=1772612100',
    'Keywords=Audit Success',
    `Message=${started.replaceAll(/ {2,}/g, '  ')}`,
  ].join(separator);
  const { records, type } = await read(`<13>Mar  4 08:15:01 192.0.2.1 ${line}\n`);
  expect(type).toBe('syslog');
  expect(records[0]).toMatchObject({
    EventRecordID: '9',
    Computer: 'w1',
    TimeCreated_SystemTime: '2026-03-04T08:15:00.000Z',
    NewProcessName: 'C:\\Windows\\System32\\whoami.exe',
    CommandLine: 'whoami  /all',
  });
});

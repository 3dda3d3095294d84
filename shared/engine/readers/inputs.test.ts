import { describe, expect, it } from 'vitest';
import { gzipSync } from 'node:zlib';
import { analyze } from '../analyze.ts';
import { loadRules } from '../sigma/load-rules.ts';
import { lookUp } from '../testing/look-up.ts';
import { readAll, sourceOf } from '../testing/read-all.ts';
import { detectLogType } from './detect-log-type.ts';
import { readerFor } from './readers.ts';

type Fields = Readonly<Record<string, string | readonly string[]>>;

const bytesOf = (input: string | Uint8Array): Uint8Array =>
  typeof input === 'string' ? new TextEncoder().encode(input) : input;
const counted = (frame: string): string => `${frame.length} ${frame}`;
const now = Date.UTC(2026, 2, 10);

/** What rules see of these fields in each record of an input whose type its content tells. */
async function seen(input: string | Uint8Array, ...names: string[]): Promise<readonly Fields[]> {
  const bytes = bytesOf(input);
  const records = await lookUp(readerFor(detectLogType(bytes))!, bytes, names, { now });
  return records.map(({ fields }) => fields);
}

async function times(input: string | Uint8Array): Promise<readonly (string | null)[]> {
  const bytes = bytesOf(input);
  const { heads } = await readAll(readerFor(detectLogType(bytes))!, bytes, () => {}, { now });
  return heads.map(({ timestamp }) => timestamp);
}

const sysmonXml = (image: string): string =>
  '<Event><System><Provider Name="Linux-Sysmon"/><EventID>1</EventID><TimeCreated SystemTime="2026-03-04T08:15:00.5Z"/>' +
  `<EventRecordID>7</EventRecordID><Channel>Linux-Sysmon/Operational</Channel><Computer>h</Computer></System><EventData>` +
  `<Data Name="Image">${image}</Data></EventData></Event>`;

describe('inputs (3)', () => {
  const cases: [string, string, Fields[]][] = [
    ['csv by commas', 'EventID,Channel,Image\n1,C,"a,""b"""\n', [{ EventID: '1', Image: 'a,"b"' }]],
    ['csv by semicolons', 'EventID;Channel;Image\n1;C;"a;b"\n', [{ EventID: '1', Image: 'a;b' }]],
    ['csv by tabs, with a byte order mark', '\uFEFFEventID\tChannel\tImage\n1\tC\ta\n', [{ EventID: '1', Image: 'a' }]],
    [
      'EvtxECmd’s Payload',
      'RecordNumber,EventRecordId,EventId,Channel,Provider,Computer,TimeCreated,MapDescription,Payload\n' +
        '1,7,1,Microsoft-Windows-Sysmon/Operational,Microsoft-Windows-Sysmon,PC,2026-03-04 08:15:00.5,,' +
        '"{""EventData"":{""Data"":[{""@Name"":""Image"",""#text"":""C:\\\\a.exe""},{""@Name"":""User"",""#text"":""x""}]}}"\n',
      [{ EventID: '1', Image: 'C:\\a.exe', User: 'x', Computer: 'PC', EventRecordID: '7' }],
    ],
    [
      'a list in a wrapper',
      '{"Records": [{"eventSource":"s3.amazonaws.com","eventName":"A","awsRegion":"r"}, {"eventSource":"s3.amazonaws.com","eventName":"B","awsRegion":"r"}]}',
      [{ eventName: 'A' }, { eventName: 'B' }],
    ],
    [
      'records one after another, indented',
      '{\n "eventSource": "s3.amazonaws.com",\n "eventName": "A", "awsRegion": "r"\n}\n{\n "eventSource": "s3.amazonaws.com",\n "eventName": "B", "awsRegion": "r"\n}\n',
      [{ eventName: 'A' }, { eventName: 'B' }],
    ],
    [
      'RFC 5424 with structured data',
      '<165>1 2026-03-04T08:15:00.003Z h app 12 ID47 [ex@1 iut="3" eventSource="a\\"b"][x y="z"] the message\n',
      [
        {
          facility: 'local4',
          severity: 'notice',
          host: 'h',
          program: 'app',
          pid: '12',
          msgid: 'ID47',
          'ex@1.eventSource': 'a"b',
          'x.y': 'z',
          message: 'the message',
        },
      ],
    ],
    [
      'octet counts, over line breaks too',
      counted('<13>Mar  4 08:15:00 h app[1]: one\ntwo') + counted('<13>Mar  4 08:15:01 h app[2]: three'),
      [
        { program: 'app', pid: '1', message: 'one\ntwo' },
        { program: 'app', pid: '2', message: 'three' },
      ],
    ],
    [
      'continuation lines',
      'Mar  4 08:15:00 h app[1]: one\n  two\n\tthree\nMar  4 08:15:01 h app[2]: four\n',
      [{ message: 'one\n  two\n\tthree' }, { message: 'four' }],
    ],
    [
      'sudo’s pairs',
      'Mar  4 08:15:00 h sudo: bob : TTY=pts/1 ; PWD=/tmp ; USER=root ; COMMAND=/bin/ls -l\n',
      [{ USER: 'root', COMMAND: '/bin/ls -l', PWD: '/tmp', TTY: 'pts/1' }],
    ],
    [
      'Sysmon for Linux in lines of syslog',
      `Mar  4 08:15:00 h sysmon: ${sysmonXml('/bin/a')}\nMar  4 08:15:01 h cron[2]: other\n`,
      [{ Image: '/bin/a', EventID: '1' }, { program: 'cron' }],
    ],
    [
      'Sysmon for Linux in Sentinel’s SyslogMessage',
      `${JSON.stringify({ TimeGenerated: '2026-03-04T08:15:00Z', Computer: 'h', SyslogMessage: sysmonXml('/bin/a') })}\n`,
      [{ Image: '/bin/a', EventID: '1' }],
    ],
    [
      'a request log, vhost-prefixed',
      'www.example:443 192.0.2.1 - bob [04/Mar/2026:08:15:00 +0100] "GET /a?b=c HTTP/1.1" 200 12 "http://r" "agent x"\n',
      [
        {
          'cs-host': 'www.example',
          'c-ip': '192.0.2.1',
          'cs-username': 'bob',
          'cs-method': 'GET',
          'cs-uri-stem': '/a',
          'cs-uri-query': 'b=c',
          'sc-status': '200',
          'cs-referer': 'http://r',
          'cs-user-agent': 'agent x',
        },
      ],
    ],
    [
      'W3C whose fields change',
      '#Software: IIS\n#Fields: date time cs-method cs-uri-stem\n2026-03-04 08:15:00 GET /a\n' +
        '#Fields: date time cs-uri-stem cs(User-Agent) sc-status\n2026-03-04 08:15:01 /b agent+x 404\n',
      [
        { 'cs-method': 'GET', 'cs-uri-stem': '/a' },
        { 'cs-uri-stem': '/b', 'cs-user-agent': ['agent+x', 'agent x'], 'sc-status': '404' },
      ],
    ],
    [
      'Zeek by its own separators',
      '#separator \\x7c\n#set_separator|;\n#empty_field|none\n#unset_field|?\n#path|http\n#fields|ts|uid|method|uri|tags\n#types|time|string|string|string|set[string]\n1772612100.5|C1|GET|?|a;b\n1772612101.5|C2|none|/x|none\n',
      [
        { method: 'GET', tags: ['a', 'b'] },
        { uri: '/x', method: '' },
      ],
    ],
    [
      'CEF, with its escapes',
      'CEF:0|Vendor|Prod|1|100|a \\| b|3|src=192.0.2.1 dst=192.0.2.2 spt=1 dpt=443 msg=a \\= b c suser=bob\n',
      [{ src_ip: '192.0.2.1', dst_ip: '192.0.2.2', dst_port: '443', src_port: '1', username: 'bob', msg: 'a = b c' }],
    ],
    [
      'LEEF by its own separator',
      'LEEF:2.0|V|P|1|id|^|src=192.0.2.1^dst=192.0.2.2^usrName=bob\n',
      [{ src_ip: '192.0.2.1', dst_ip: '192.0.2.2', username: 'bob' }],
    ],
    [
      'pairs',
      'date=2026-03-04 time=08:15:00 devname="f w" type="traffic" srcip=192.0.2.1 dstport=443\n',
      [{ devname: 'f w', src_ip: '192.0.2.1', dst_port: '443' }],
    ],
    [
      'audit records in quotes, enriched',
      'type=USER_CMD msg=audit(1772612100.123:42): pid=7 uid=0 msg=\'cwd="/a b" cmd=6C73202D6C res=success\'\x1dUID="root"\n',
      [{ type: 'USER_CMD', cwd: '/a b', cmd: 'ls -l', res: 'success', UID: 'root', uid: '0' }],
    ],
  ];

  it.each(cases)('%s', async (_, input, expected) => {
    const names = [...new Set(expected.flatMap((fields) => Object.keys(fields)))];
    const found = await seen(input, ...names);
    expect(found).toHaveLength(expected.length);
    for (const [at, fields] of expected.entries()) expect(found[at]).toMatchObject(fields);
    const wide = Buffer.from(input.startsWith('\uFEFF') ? input : `\uFEFF${input}`, 'utf16le');
    if (!/^\d+ </.test(input)) expect(await seen(new Uint8Array(wide), ...names)).toEqual(found);
  });

  it.each([
    ['SystemTime,TimeCreated,time\n2026-03-04T08:15:00Z,2020-01-01T00:00:00Z,x\n', '2026-03-04T08:15:00Z'],
    ['time,Image,UtcTime\n2020-01-01T00:00:00Z,a,2026-03-04 08:15:00.123\n', '2026-03-04T08:15:00.123Z'],
    ['timestamp,@timestamp\n2020-01-01T00:00:00Z,2026-03-04T08:15:00.000Z\n', '2026-03-04T08:15:00.000Z'],
    ['a,timestamp\nx,2026-03-04T08:15:00+01:00\n', '2026-03-04T07:15:00Z'],
    [
      '#Date: 2026-03-04 00:00:00\n#Fields: time c-ip cs-method cs-uri-stem\n08:15:00 192.0.2.1 GET /\n',
      '2026-03-04T08:15:00Z',
    ],
    ['Mar  4 08:15:00 h app: x\n', '2026-03-04T08:15:00Z'],
    ['Mar 14 08:15:00 h app: x\n', '2025-03-14T08:15:00Z'],
    ['2026-03-04T08:15:00.123456+01:00 h app: x\n', '2026-03-04T07:15:00.123456Z'],
    ['type=CWD msg=audit(bad:42): cwd="/"\ntype=CWD msg=audit(1772612100.123:43): cwd="/"\n', null],
    ['{"_path":"conn","ts":1772612100.5,"uid":"C","id.orig_h":"192.0.2.1"}\n', '2026-03-04T08:15:00.500Z'],
  ])('%j: its time is %s', async (input, expected) => {
    expect((await times(input))[0]).toBe(expected);
  });

  it('the journal’s binary fields, byte arrays and several values', async () => {
    const text = (value: string): Uint8Array => bytesOf(value);
    const size = new Uint8Array(8);
    size[0] = 3;
    const exported = Buffer.concat([
      text('__CURSOR=s=1\n__REALTIME_TIMESTAMP=1772612100000000\nSYSLOG_IDENTIFIER=app\n_PID=7\nMESSAGE\n'),
      size,
      text('a\nb\nTAG=1\nTAG=2\n\n'),
    ]);
    const expected = { message: 'a\nb', program: 'app', pid: '7', TAG: ['1', '2'] };
    expect(await seen(new Uint8Array(exported), ...Object.keys(expected))).toEqual([expected]);
    const json = JSON.stringify({
      __REALTIME_TIMESTAMP: '1772612100000000',
      SYSLOG_IDENTIFIER: 'app',
      _PID: '7',
      MESSAGE: [97, 10, 98],
      TAG: ['1', '2'],
      GONE: null,
    });
    for (const one of [json, JSON.stringify(JSON.parse(json), null, 2)])
      expect(await seen(`${one}\n`, ...Object.keys(expected))).toEqual([expected]);
  });

  it.each([
    ['syslog', 'Mar  4 08:15:00 h app: '],
    ['auditd', 'type=USER_CMD msg=audit(1772612100.123:42): key='],
    ['web_access', '192.0.2.1 - - [04/Mar/2026:08:15:00 +0000] "GET /'],
    ['network', 'CEF:0|v|p|1|2|n|3|msg='],
  ] as const)('a line of %s longer than 16 MiB is cut and counted, and reading goes on', async (logType, head) => {
    const long = `${head}${'x'.repeat(17 * 1024 * 1024)}\n`;
    const short = logType === 'web_access' ? `${head} HTTP/1.1" 200 1\n` : `${head}y\n`;
    const { report } = await readAll(readerFor(logType)!, short + long + short);
    expect(report.records).toBeGreaterThanOrEqual(2);
    expect(report.problems.map(({ code, count }) => [code, count])).toContainEqual(['line-too-long', 1]);
  });

  it('bytes that are no UTF-8 become replacement characters', async () => {
    const line = new Uint8Array([...bytesOf('Mar  4 08:15:00 h app: a'), 0xff, 0x62, 0x0a]);
    expect(await seen(line, 'message')).toEqual([{ message: 'a\uFFFDb' }]);
  });

  it('gzip of several members is one log', async () => {
    const parts = ['Mar  4 08:15:00 h app: one\n', 'Mar  4 08:15:01 h app: two\n'].map((text) => gzipSync(text));
    const text = 'title: T\nlogsource: {product: linux}\ndetection: {s: {message: "*"}, condition: s}\n';
    const { rules } = loadRules([{ path: 'r.yml', text }]);
    const options = { rules, logType: 'auto', maxSamples: 0, now } as const;
    const { findings } = await analyze(sourceOf(new Uint8Array(Buffer.concat(parts))), options);
    expect(findings[0]?.samples.map(({ fields }) => fields['message'])).toEqual(['one', 'two']);
  });
});

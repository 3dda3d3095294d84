import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../../test/support/shared-data.ts';
import { isGzip } from './compressed/gunzip.ts';
import { detectLogType } from './detect-log-type.ts';
import type { LogType } from './log-type.ts';
import { processorTime } from '../testing/processor-time.ts';

const ns = "xmlns='http://schemas.microsoft.com/win/2004/08/events/event'";

const rows: { row: string; text: string; type: LogType }[] = [
  { row: '1 signature', text: 'ElfFile\0anything', type: 'evtx' },
  { row: '1 signature without NUL', text: 'ElfFile ', type: 'unknown' },
  { row: '2 winlog', text: '{"winlog":{}}', type: 'json_winlogbeat' },
  { row: '2 agent', text: '{"agent":{},"EventID":1}', type: 'json_winlogbeat' },
  { row: '2 blanks around the first line', text: '  {"winlog":{}}  \r\nx', type: 'json_winlogbeat' },
  { row: '2b EventID', text: '{"EventID":1}\n{"winlog":{}}', type: 'json_evtx' },
  { row: '2b Event', text: '{"Event":{}}', type: 'json_evtx' },
  { row: '2b System', text: '{"System":{}}', type: 'json_evtx' },
  { row: '2b before 2c', text: '{"__CURSOR":"s","Event":{}}', type: 'json_evtx' },
  { row: '2c realtime', text: '{"__REALTIME_TIMESTAMP":"1"}', type: 'journald' },
  { row: '2c cursor', text: '{"__CURSOR":"s"}', type: 'journald' },
  { row: '2c message and host', text: '{"MESSAGE":"m","_HOSTNAME":"h"}', type: 'journald' },
  { row: '2c message and systemd', text: '{"MESSAGE":"m","_SYSTEMD_UNIT":"u"}', type: 'journald' },
  { row: '2d message alone', text: '{"MESSAGE":"m"}', type: 'json' },
  { row: '2d stops', text: '{"a":"Linux-Sysmon type=SYSCALL"}\n__CURSOR=s', type: 'json' },
  { row: '2d keys of Object do not count', text: '{"a":1,"toString":2}', type: 'json' },
  { row: '3 export', text: '__CURSOR=s=1\nMESSAGE=m', type: 'journald' },
  { row: '4 sysmon', text: 'Jan  1 00:00:00 h sysmon: <Event><Provider Name="Linux-Sysmon"/>', type: 'sysmon_linux' },
  { row: '4 on line 10', text: `${'x\n'.repeat(9)}Linux-Sysmon`, type: 'sysmon_linux' },
  { row: '4 on line 11', text: `${'x\n'.repeat(10)}Linux-Sysmon`, type: 'unknown' },
  { row: '4 before 5', text: `<Event ${ns}><Provider Name='Linux-Sysmon'/>`, type: 'sysmon_linux' },
  { row: '5 Event', text: `<Event ${ns}>`, type: 'xml_evtx' },
  { row: '5 Events with declaration', text: `\uFEFF<?xml version="1.0"?>\r\n<Events><Event ${ns}>`, type: 'xml_evtx' },
  { row: '5 without name space', text: '<Events><Event>', type: 'unknown' },
  { row: '5 name space too late', text: `<Events>${' '.repeat(8192)}<Event ${ns}>`, type: 'unknown' },
  { row: '5 another element', text: `<EventList ${ns}>`, type: 'unknown' },
  { row: '6 SYSCALL', text: 'x\nnode=a type=SYSCALL msg=', type: 'auditd' },
  { row: '6 EXECVE', text: 'type=EXECVE', type: 'auditd' },
  { row: '6 PROCTITLE', text: 'type=PROCTITLE', type: 'auditd' },
  { row: '6 audit(', text: 'type=LOGIN msg=audit(1:2): x', type: 'auditd' },
  { row: '6 before 7', text: 'Jan  1 00:00:00 h audit[1]: audit(1:2)', type: 'auditd' },
  { row: '7 month', text: 'Oct  1 10:00:00 host sshd[1]: x', type: 'syslog' },
  { row: '7 month without day', text: 'October 2024', type: 'unknown' },
  { row: '7 ISO', text: '2024-01-02T03:04:05.678+02:00 host x', type: 'syslog' },
  { row: '7 date without time', text: '2024-01-02 03:04:05 x', type: 'unknown' },
  { row: '7 priority and month', text: '<34>Oct 11 22:14:15 host su: x', type: 'syslog' },
  { row: '7 priority, version, ISO', text: '<165>1 2003-10-11T22:14:15.003Z host x', type: 'syslog' },
  { row: '7 priority of 4 digits', text: '<1650>Oct 11 22:14:15 host x', type: 'unknown' },
  { row: '7 on the second line only', text: 'x\nOct 11 22:14:15 host x', type: 'unknown' },
  { row: '8 nothing', text: '', type: 'unknown' },
  { row: '8 text', text: 'hello', type: 'unknown' },
  { row: 'note: a scalar falls through', text: '1\ntype=SYSCALL', type: 'auditd' },
  { row: 'note: a string falls through', text: '"x Linux-Sysmon"', type: 'sysmon_linux' },
  { row: 'note: an array falls through', text: '["audit("]', type: 'auditd' },
  { row: 'array on one line', text: '[{"EventID":1},{"winlog":{}}]', type: 'json_evtx' },
  { row: 'array, indented', text: '\n [\n  {\n    "x": {"winlog": 1},\n    "Event": {\n', type: 'json_evtx' },
  { row: 'array of winlogbeat', text: '[{"@timestamp":"t","winlog":{"a":"}', type: 'json_winlogbeat' },
  { row: 'array of something else', text: '[{"a":[{"EventID":1}]},{"EventID":1}]', type: 'json' },
  { row: 'array of scalars', text: '[1,{"EventID":1}]', type: 'unknown' },
  { row: 'indented object', text: '{\n  "Event": {\n    "System": {', type: 'json_evtx' },
  { row: 'brackets and quotes in strings', text: '{\n "a": "}\\"{",\n "System": {}\n}', type: 'json_evtx' },
];

/** Kinds beyond the table, which it calls `unknown`. */
const added: { row: string; text: string; type: LogType }[] = [
  { row: 'CloudTrail', text: '{"eventSource":"s","eventName":"n","awsRegion":"r"}', type: 'cloud_audit' },
  {
    row: 'in a wrapper',
    text: '{"Records":[{"eventSource":"s","eventName":"n","awsRegion":"r"}]}',
    type: 'cloud_audit',
  },
  { row: 'in an array', text: '[\n {"actor":{},"outcome":{},"eventType":"t"}]', type: 'cloud_audit' },
  { row: 'cut within its first record', text: '{"protoPayload":{"a":"', type: 'cloud_audit' },
  { row: 'in a document of a search', text: '{"_index":"i","_source":{"protoPayload":{}}}', type: 'cloud_audit' },
  {
    row: 'as text in an export',
    text: '{"AuditData":"{\\"Workload\\":\\"w\\",\\"Operation\\":\\"o\\"}"}',
    type: 'cloud_audit',
  },
  { row: 'two of three keys', text: '{"eventSource":"s","eventName":"n"}', type: 'json' },
  { row: 'a list that wraps nothing known', text: '{"Records":[1]}', type: 'json' },
  { row: 'Zeek JSON', text: '{"_path":"dns","ts":1}', type: 'zeek' },
  { row: 'Zeek JSON without its name', text: '{"ts":1,"uid":"C","id.orig_h":"1.2.3.4"}', type: 'zeek' },
  { row: 'Zeek TSV', text: '#separator \\x09\n#path\tdns', type: 'zeek' },
  { row: 'common log', text: 'h - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 2', type: 'web_access' },
  { row: 'load balancer', text: 'h2 2020-01-11T16:55:32.115600Z app/x 1.2.3.4:5 ', type: 'web_access' },
  { row: 'squid', text: '1286536308.779    180 192.168.0.224 TCP_MISS/200 411 GET http://h/ -', type: 'web_access' },
  { row: 'W3C', text: '#Software: x\n#Fields: date time c-ip cs-method', type: 'web_access' },
  { row: 'Apache errors', text: '[Sun Dec 04 04:47:44 2005] [notice] x', type: 'web_access' },
  { row: 'nginx errors', text: '2024/01/02 03:04:05 [error] 12#12: *1 x', type: 'web_access' },
  { row: 'Windows firewall', text: '#Fields: date time action protocol src-ip dst-ip src-port', type: 'network' },
  { row: 'CEF', text: 'CEF:0|v|p|1|2|n|3|src=1.2.3.4', type: 'network' },
  { row: 'LEEF', text: 'LEEF:2.0|v|p|1|id|^|src=1.2.3.4', type: 'network' },
  { row: 'FortiOS', text: 'date=2024-01-02 time=03:04:05 devname="f w" devid="x" type="event"', type: 'network' },
  { row: 'Cisco', text: '1.2.3.4 6705: Feb 17 13:40:03.673: %PARSER-5-CFGLOG_LOGGEDCMD: User:x', type: 'network' },
  { row: 'syslog around CEF stays syslog', text: 'Oct 11 22:14:15 h CEF:0|v|p|1|2|n|3|', type: 'syslog' },
  { row: 'PAN-OS', text: '1,2026/03/04 08:15:01,0123,TRAFFIC,end,2562,2026/03/04 08:15:00,192.0.2.1', type: 'network' },
  { row: 'Exchange', text: '#Software: x\n#Log-type: y\n#Fields: date-time,event-id,message-id\n1,2,3', type: 'csv' },
  { row: 'a row of Sentinel', text: '{"TimeGenerated":"t","Type":"OfficeActivity"}', type: 'cloud_audit' },
  { row: 'a Windows event of Sentinel', text: '[{"TimeGenerated":"t","EventID":1}]', type: 'json_evtx' },
  { row: 'EvtxECmd', text: '{"Channel":"c","Payload":"{}","EventId":1,"RecordNumber":1}', type: 'json_evtx' },
  {
    row: 'Get-WinEvent',
    text: '[\n  {\n    "Id": 1,\n    "LogName": "l",\n    "RecordId": 1\n  }\n]',
    type: 'json_evtx',
  },
  { row: 'Get-WinEvent, cut', text: '[{"Id":1,"LogName":"l","TimeCreated":"t","Message":"a', type: 'json_evtx' },
  { row: 'Wazuh', text: '{"agent":{},"data":{"win":{"system":{"eventID":"1","channel":"c"}}}}', type: 'json_evtx' },
  { row: 'advanced hunting', text: '{"Timestamp":"t","DeviceName":"d","ActionType":"ProcessCreated"}', type: 'json' },
  { row: 'a table of a data frame', text: ',EventID,Computer\n0,1,c', type: 'csv' },
  { row: 'a table', text: 'EventID,Channel\n1,"a, b"', type: 'csv' },
  { row: 'a table with semicolons', text: '\uFEFF"a b";"c"\r\n1;2', type: 'csv' },
  { row: 'a table of tabs after a PowerShell type', text: '#TYPE x\na\tb\n"1\n"\t2', type: 'csv' },
  { row: 'prose with commas', text: 'Dear all, hello\nthis is, well, no table', type: 'unknown' },
  { row: 'numbers only', text: '1,2,3\n4,5,6', type: 'unknown' },
  { row: 'a word with an equals sign', text: 'a=b and no more', type: 'unknown' },
];

describe('detectLogType', () => {
  it.each(added)('beyond the table: $row → $type', ({ text, type }) => {
    expect(detectLogType(new TextEncoder().encode(text))).toBe(type);
  });

  it.each(rows)('$row → $type', ({ text, type }) => {
    expect(detectLogType(new TextEncoder().encode(text))).toBe(type);
  });

  it.each(rows.filter(({ row }) => !row.startsWith('1')))('UTF-16 with a mark: $row → $type', ({ text, type }) => {
    const marked = text.startsWith('\uFEFF') ? text : `\uFEFF${text}`;
    const little = Buffer.from(marked, 'utf16le');
    expect(detectLogType(little)).toBe(type);
    expect(detectLogType(Buffer.from(little).swap16())).toBe(type);
  });

  it('drops bad bytes', () => {
    const bytes = Buffer.concat([
      Buffer.of(0xff, 0x80),
      Buffer.from('{"Event":{"a":"'),
      Buffer.of(0xc3),
      Buffer.from('"}}'),
    ]);
    expect(detectLogType(bytes)).toBe('json_evtx');
  });

  it('looks at no more than 65,536 bytes', () => {
    expect(detectLogType(Buffer.from(`\n${' '.repeat(65_529)}audit(`))).toBe('auditd');
    expect(detectLogType(Buffer.from(`\n${' '.repeat(65_530)}audit(`))).toBe('unknown');
  });

  it('knows a first line that is longer than what it looks at', () => {
    expect(detectLogType(Buffer.from(`{"winlog":{},"message":"${'x'.repeat(70_000)}"}`))).toBe('json_winlogbeat');
  });

  it('stays quick on a string that never ends', () => {
    const took = processorTime();
    detectLogType(Buffer.from(`[{"a${'\\"'.repeat(40_000)}`));
    expect(took()).toBeLessThan(2000);
  });

  it('never throws', () => {
    for (let seed = 1; seed < 200; seed++) {
      const bytes = Uint8Array.from(
        { length: 300 },
        (_, i) => (Math.imul(seed * 7919 + i, 2_654_435_761) >>> 13) & 0xff,
      );
      expect(detectLogType(bytes)).toBeTypeOf('string');
    }
  });
});

/** What each folder of the shared logs is; files that differ from their folder stand by name. */
const expected: Record<string, LogType> = {
  'windows-json-evtx': 'json_evtx',
  'windows-json-flat': 'json_evtx',
  'windows-json-winlogbeat': 'json_winlogbeat',
  'windows-xml': 'xml_evtx',
  auditd: 'auditd',
  'sysmon-linux': 'sysmon_linux',
  'syslog-rfc3164': 'syslog',
  'syslog-rfc5424': 'syslog',
  'syslog-iso': 'syslog',
  journald: 'journald',
  cloudtrail: 'cloud_audit',
  azure: 'cloud_audit',
  'azure/plaso-app-gateway-access.json': 'web_access',
  gcp: 'cloud_audit',
  m365: 'cloud_audit',
  'zeek-json': 'zeek',
  'zeek-tsv': 'zeek',
  'web-access': 'web_access',
  'web-error': 'web_access',
  'iis-w3c': 'web_access',
  network: 'network',
  'windows-csv': 'csv',
  'application/vsftpd.log': 'network',
  'network/aws-elb-access.log': 'web_access',
  'network/snort3-alert-fast.log': 'unknown',
  // Begins with an ISO time, so row 7 has it.
  'application/cri-container.log': 'syslog',
};

describeWithSharedData('detectLogType on the shared logs', () => {
  const index = JSON.parse(readFileSync(sharedData('logs/INDEX.json'), 'utf8')) as { file: string; kind: string }[];
  it.each(index)('$file', ({ file, kind }) => {
    const stored = readFileSync(sharedData('logs', file));
    expect(isGzip(stored)).toBe(kind === 'compressed');
    const type = kind === 'compressed' ? 'auditd' : (expected[file] ?? expected[kind] ?? 'unknown');
    expect(detectLogType(stored)).toBe(type);
    if (kind === 'compressed') expect(detectLogType(gunzipSync(stored))).toBe(type);
  });

  it.each(readdirSync(sharedData('evtx')).filter((name) => name.endsWith('.evtx')))('evtx/%s', (name) => {
    expect(detectLogType(readFileSync(sharedData('evtx', name)))).toBe('evtx');
  });
});

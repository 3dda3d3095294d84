import { expect, it } from 'vitest';
import { analyze } from './analyze.ts';
import type { Analysis } from './findings.ts';
import type { LogType } from './readers/log-type.ts';
import type { ByteSource } from './readers/reader.ts';
import { loadRules } from './sigma/load-rules.ts';
import { sourceOf } from './testing/read-all.ts';

/** All records, and some at the end that come in quick succession: of those samples are shown. */
const records = 1500;
const burst = 1480;
const secondOf = (record: number): number => (record < burst ? record * 60 : burst * 60 + record - burst);
const timeOf = (record: number): Date => new Date(Date.UTC(2026, 0, 1) + secondOf(record) * 1000);
const numbers = Array.from({ length: records }, (_, record) => record);
/** Longer than what is read at a time, and just before what is shown. */
const long = (record: number): string => (record === burst - 1 ? 'x'.repeat(600_000) : 'x');

const trail = (record: number): string =>
  JSON.stringify({
    eventSource: 'iam.amazonaws.com',
    eventName: 'CreateUser',
    awsRegion: 'eu-1',
    eventTime: timeOf(record).toISOString(),
    sourceIPAddress: '192.0.2.1',
    requestParameters: { name: long(record) },
  });
const auditTime = (record: number): string => `${timeOf(record).getTime() / 1000}.000:${record}`;

/** Logs of several records that rules match, and what they are of. */
const logs: [string, LogType, string, string][] = [
  ['lines of JSON', 'cloud_audit', 'product: aws, service: cloudtrail', numbers.map(trail).join('\n')],
  [
    'a list in an object',
    'cloud_audit',
    'product: aws, service: cloudtrail',
    `{"Records":[${numbers.map(trail).join(',')}]}`,
  ],
  [
    'events of several lines',
    'auditd',
    'product: linux, service: auditd',
    numbers
      .map((record) =>
        [
          `type=SYSCALL msg=audit(${auditTime(record)}): arch=c000003e syscall=59 success=yes pid=${record} exe="/bin/a"`,
          `type=EXECVE msg=audit(${auditTime(record)}): argc=1 a0="${long(record)}${record}"`,
        ].join('\n'),
      )
      .join('\n'),
  ],
  [
    'messages of several lines without a year',
    'syslog',
    'product: linux',
    numbers
      .map((record) => {
        const [, day, month, , clock] = timeOf(record).toUTCString().split(' ');
        return `${month} ${day} ${clock} host app[1]: first ${record}\n  second ${long(record)}`;
      })
      .join('\n'),
  ],
  [
    'lines of a table',
    'csv',
    'product: windows, service: security',
    [
      'Channel,EventID,Computer,TimeCreated,Payload',
      ...numbers.map((record) => `Security,4625,dc,${timeOf(record).toISOString()},${long(record)}${record}`),
    ].join('\n'),
  ],
];

async function analysisOf(source: ByteSource, logType: LogType, logSource: string): Promise<Analysis> {
  const text = `title: Every
name: every
logsource: {${logSource}}
detection: {all: {Nothing: null}, condition: all}
---
title: Burst
correlation: {type: event_count, rules: [every], timespan: 20s, condition: {gte: 20}}
`;
  const { rules, rejected } = loadRules([{ path: 'rules.yml', text }]);
  expect(rejected).toEqual([]);
  return analyze(source, { rules, logType, maxSamples: 5, now: Date.UTC(2026, 5, 1) });
}

it.each(logs)('shows of %s what a log shows that is read once', async (_, logType, logSource, text) => {
  const bytes = new TextEncoder().encode(text);
  let read = 0;
  const source = sourceOf(bytes);
  const { size } = source;
  const counted: ByteSource = {
    size,
    read: async (offset, into) => {
      const count = await source.read(offset, into);
      read += count;
      return count;
    },
  };
  const once = await analysisOf(counted, logType, logSource);
  expect(once.findings).toMatchObject([{ ruleName: 'Burst', samples: [{}, {}, {}, {}, {}] }]);
  expect(read).toBeLessThan(size * 1.5);
  read = 0;
  expect(await analysisOf({ ...counted, isRandom: true }, logType, logSource)).toEqual(once);
  expect(read).toBeGreaterThan(size * 1.5);
});

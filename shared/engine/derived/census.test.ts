import { expect, it } from 'vitest';
import { analyze } from '../analyze.ts';
import { loadRules } from '../sigma/load-rules.ts';
import { deriveSample } from '../testing/derive-sample.ts';

import { type EvtxEvent, sourceOf, writeEvtx } from '../testing/index.ts';

const rule = (title: string, source: string, level = 'low'): string =>
  `title: ${title}\nname: ${title}\nlevel: ${level}\nlogsource: {${source}}\ndetection: {a: {X: y}, condition: a}\n---\n`;
const { rules } = loadRules([
  {
    path: 'r.yml',
    text:
      rule('Security', 'product: windows, service: security') +
      rule('Started', 'product: windows, category: process_creation') +
      rule('System', 'product: windows, service: system') +
      rule('Audited', 'product: linux, service: auditd') +
      'title: Often\ncorrelation: {type: event_count, rules: [Security], group-by: [X], timespan: 1h, condition: {gte: 2}}\n' +
      '---\ntitle: Both\ncorrelation: {type: event_count, rules: [System], group-by: [X], timespan: 1h, condition: {gte: 2}}\n',
  },
]);

const census = async (log: Uint8Array | string) => {
  const source = sourceOf(typeof log === 'string' ? new TextEncoder().encode(log) : log);
  const options = { rules, logType: 'auto', maxSamples: 1, census: deriveSample, now: Date.UTC(2026, 3, 1) } as const;
  return (await analyze(source, options)).census!;
};

it('counts the records of a log in which no rule matches by kind, host, account and time', async () => {
  const at = (minute: number): string => `2026-03-01T10:${String(minute).padStart(2, '0')}:00.0000000Z`;
  const logon = (minute: number, computer: string, user: string): EvtxEvent => ({
    channel: 'Security',
    provider: 'Microsoft-Windows-Security-Auditing',
    eventId: 4624,
    computer,
    time: at(minute),
    data: { User: user },
  });
  const found = await census(
    writeEvtx([
      logon(5, 'b', 'eve'),
      logon(1, 'a', 'bob'),
      { ...logon(9, 'a', 'bob'), eventId: 4634 },
      logon(7, 'a', 'DC$'),
    ]),
  );
  expect(found).toEqual({
    records: 4,
    kinds: [
      {
        source: 'windows',
        channel: 'Security',
        provider: 'Microsoft-Windows-Security-Auditing',
        event: '4624',
        count: 3,
      },
      {
        source: 'windows',
        channel: 'Security',
        provider: 'Microsoft-Windows-Security-Auditing',
        event: '4634',
        count: 1,
      },
    ],
    kindsTotal: 2,
    hosts: {
      frequent: [
        { value: 'a', count: 3 },
        { value: 'b', count: 1 },
      ],
      total: 2,
      isPart: false,
    },
    accounts: {
      frequent: [
        { value: 'bob', count: 2 },
        { value: 'eve', count: 1 },
      ],
      total: 2,
      isPart: false,
    },
    undated: 0,
    first: '2026-03-01T10:01:00.000Z',
    last: '2026-03-01T10:09:00.000Z',
    gaps: null,
    // No process was started, so that only the rules for the log and what counts their matches see its records.
    rules: { total: 6, reading: 2 },
  });
});

it('counts records of the audit daemon, not what several of them say together, but knows the rules for that', async () => {
  const log =
    'type=SYSCALL msg=audit(1772612100.123:42): arch=c000003e syscall=59 success=yes ppid=1 pid=2 auid=1000 exe="/usr/bin/id"\n' +
    'type=EXECVE msg=audit(1772612100.123:42): argc=1 a0="id"\n';
  const found = await census(log);
  expect(found).toMatchObject({
    records: 2,
    kinds: [
      { source: 'linux: auditd', event: 'EXECVE', count: 1 },
      { source: 'linux: auditd', event: 'SYSCALL', count: 1 },
    ],
    accounts: null,
    hosts: { total: 0 },
    rules: { total: 6, reading: 1 },
  });
});

it('names stretches without records, and tells a log that no rule is for', async () => {
  const line = (minute: number): string =>
    `Mar  1 ${String(8 + Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00 host cron[7]: tick\n`;
  const minutes = Array.from({ length: 60 }, (_, at) => (at < 30 ? at : at + 240));
  expect(await census(minutes.map(line).join(''))).toMatchObject({
    records: 60,
    hosts: { frequent: [{ value: 'host', count: 60 }] },
    gaps: {
      usualMs: 60_000,
      leastMs: 600_000,
      longest: [{ from: '2026-03-01T08:29:00.000Z', to: '2026-03-01T12:30:00.000Z' }],
      total: 1,
    },
    rules: { total: 6, reading: 0 },
  });
});

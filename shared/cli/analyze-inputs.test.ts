import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Report } from './report.ts';
import { type Ran, svc, svcOn } from './testing/svc.ts';

const samples = fileURLToPath(new URL('../../config/samples/', import.meta.url));
const powershell = readFileSync(`${samples}intrusion-powershell.evtx`);
const sysmon = readFileSync(`${samples}intrusion-sysmon.evtx`);
const security = readFileSync(`${samples}intrusion-security.evtx`);
const folder = mkdtempSync(join(tmpdir(), 'svc-analyze-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: Uint8Array | string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const logs = join(folder, 'logs');
file('logs/a.evtx', powershell);
file('logs/deep/er/b.log', gzipSync(security));
file('logs/notes.txt', 'Dear all,\n');
const zip = file(
  'logs.zip',
  zipSync({ 'Security.evtx': security, 'inner/ps.evtx': [powershell, { level: 0 }], 'notes.txt': Buffer.from('hm') }),
);

async function reports(...argv: string[]): Promise<{ ran: Ran; given: Report[] }> {
  const ran = await svc('analyze', ...argv, '--format', 'json');
  return { ran, given: [JSON.parse(ran.out) as Report | Report[]].flat() };
}

describe('svc analyze takes', () => {
  it('folders, passing over what is no log', async () => {
    const { ran, given } = await reports(logs);
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(given.map((report) => [report.file, report.events])).toEqual([
      [join(logs, 'a.evtx'), 36],
      [join(logs, 'deep/er/b.log'), 266],
    ]);
    const stats = await svc('analyze', logs, '--stats', '--format', 'jsonl');
    expect(stats.err).toBe(`skipped as no known log: ${join(logs, 'notes.txt')}\n`);
    const table = await svc('analyze', logs, '--stats');
    expect(table.out).toContain('2 analysed, 1 skipped as no known log');
    expect(table.err).toContain(`skipped as no known log: ${join(logs, 'notes.txt')}`);
  });

  it('no file that is not of the type that it is said to be', async () => {
    const notes = join(logs, 'notes.txt');
    const forced = await svc('analyze', notes, '--log-type', 'evtx');
    expect(forced).toMatchObject({ code: 2, out: '' });
    expect(forced.err).toContain(`${notes}: nothing in it could be read as evtx: The file does not begin`);
    const { ran, given } = await reports(logs, '--log-type', 'evtx');
    expect([ran.code, given.map((report) => report.events)]).toEqual([0, [36, 266]]);
    const empty = await svc('analyze', file('empty.csv', 'TimeCreated,Id,Message\n'), '--log-type', 'csv');
    expect(empty).toMatchObject({ code: 0, err: '' });
  });

  it('patterns that no shell has expanded, as a list even for one file', async () => {
    const { ran, given } = await reports(join(logs, '**/*.evtx'));
    expect(ran.out.startsWith('[')).toBe(true);
    expect(given.map((report) => report.file)).toEqual([join(logs, 'a.evtx')]);
  });

  it('zip archives, a report per log', async () => {
    const { ran, given } = await reports(zip);
    expect(ran).toMatchObject({ code: 0, err: '' });
    const plain = await reports(join(logs, 'a.evtx'));
    expect(given.map((report) => report.file)).toEqual([join(zip, 'Security.evtx'), join(zip, 'inner/ps.evtx')]);
    const [, inner] = given;
    expect({ ...inner, file: '', duration_ms: 0 }).toEqual({ ...plain.given[0], file: '', duration_ms: 0 });
  });

  it('standard input, packed or not, and leaves nothing of it', async () => {
    // A folder of its own, as others of the machine read their standard input, too.
    vi.stubEnv('TMPDIR', mkdtempSync(join(folder, 'temporary-')));
    for (const content of [powershell, gzipSync(powershell)]) {
      const { code, out } = await svcOn({ input: Readable.from([content]) }, 'analyze', '-', '--format', 'json');
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ file: '-', log_type: 'evtx', events: 36 });
    }
    expect(readdirSync(tmpdir())).toEqual([]);
    vi.unstubAllEnvs();
  });

  it('no archive, folder or terminal without a log', async () => {
    const notes = file('notes/notes.txt', 'Dear all,\n');
    const empty = file('empty.zip', zipSync({ 'notes.txt': Buffer.from('hm') }));
    const terminal = Object.assign(Readable.from([]), { isTTY: true });
    expect(await svc('analyze', notes)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('no kind of log'),
    });
    const nothing = file('nothing.log', '');
    expect(await svc('analyze', nothing)).toMatchObject({ code: 2, err: `svc: ${nothing}: it is empty\n` });
    expect(await svc('analyze', empty)).toMatchObject({
      code: 2,
      err: expect.stringContaining('no known log is in it'),
    });
    expect(await svc('analyze', dirname(notes))).toMatchObject({
      code: 2,
      err: 'svc: none of 1 file is a known log\n',
    });
    expect(await svcOn({ input: terminal }, 'analyze', '-')).toMatchObject({
      code: 2,
      err: expect.stringContaining('is a terminal'),
    });
  });

  it('times without a year for those before the file was last changed', async () => {
    const line = 'Oct 11 22:14:15 host su[7]: pam_unix(su:auth): authentication failure\n';
    const path = file('old.log', line);
    utimesSync(path, new Date('2019-10-20'), new Date('2019-10-20'));
    const rule = file(
      'su.yml',
      'title: Su\nlogsource: { product: linux }\ndetection: { a: [failure], condition: a }\n',
    );
    const { given } = await reports(path, '--rules', rule);
    expect(given[0]!.findings[0]).toMatchObject({ first_seen: '2019-10-11T22:14:15Z' });
    const packed = file('old.zip', zipSync({ 'old.log': [Buffer.from(line), { mtime: '2017-10-12T00:00:00' }] }));
    const inZip = await reports(packed, '--rules', rule);
    expect(inZip.given[0]!.findings[0]).toMatchObject({ first_seen: '2017-10-11T22:14:15Z' });
  });
});

it('svc analyze gives the same for many files, however many threads read them', async () => {
  for (let at = 0; at < 40; at++)
    file(`many/${at % 7}/${at}.evtx`, at % 9 === 0 ? 'Dear all,\n' : at % 2 === 0 ? sysmon : security);
  file('many/3/zip', readFileSync(zip));
  const many = join(folder, 'many');
  const plain = (ran: Ran): string => ran.out.replaceAll(/"duration_ms":\d+/g, '');
  const one = await svc('analyze', many, '--format', 'jsonl', '--threads', '1');
  const three = await svc('analyze', many, '--format', 'jsonl', '--threads', '3');
  expect(one.code).toBe(0);
  expect(one.out.split('\n').length - 1).toBe(35 + 2);
  expect(plain(three)).toBe(plain(one));
});

describe('svc analyze looks only', () => {
  it('at events of the period', async () => {
    const path = join(logs, 'a.evtx');
    const all = (await reports(path)).given[0]!;
    const since = (await reports(path, '--since', '2026-11-17T09:00', '--until', '2026-11-17')).given[0]!;
    expect(all.period).toBeUndefined();
    const names = since.findings.map((finding) => finding.rule_name);
    expect(names).toContain('Script Block Weakens Defender');
    expect(names.length).toBeLessThan(all.findings.length);
    expect(since.period).toMatchObject({
      since: '2026-11-17T09:00:00.000Z',
      until: '2026-11-18T00:00:00.000Z',
      untimed: 0,
    });
    expect(since.events).toBe(36);
    expect(since.period!.outside).toBeGreaterThan(0);
    const ago = await svc('analyze', path, '--since', '-1h');
    expect(ago.out).toMatch(/^ {2}period {2}from .* on, 36 events left out$/m);
  });

  it('for findings of a level', async () => {
    const level = async (name: string): Promise<string[]> =>
      (await reports(join(logs, 'deep'), '--level', name)).given[0]!.findings.map(({ severity }) => severity);
    expect(new Set(await level('informational'))).toEqual(new Set(['critical', 'high', 'medium', 'low']));
    expect(new Set(await level('high'))).toEqual(new Set(['critical', 'high']));
  });
});

describe('svc analyze --output', () => {
  it('writes the report to a file and the summary to the terminal', async () => {
    const path = join(folder, 'report.jsonl');
    const { code, out } = await svc('analyze', logs, '--format', 'jsonl', '--output', path);
    expect(code).toBe(0);
    expect(out).toContain('2 analysed');
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as Report).events)).toEqual([36, 266]);
    expect(await svc('analyze', logs, '--format', 'jsonl', '-q', '-o', path)).toMatchObject({ out: '', err: '' });
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('does not take the report of an earlier call for a log', async () => {
    const path = join(folder, 'again', 'report.csv');
    file('again/a.evtx', powershell);
    for (let call = 0; call < 2; call++) {
      const { out } = await svc('analyze', dirname(path), '--format', 'csv', '-o', path);
      expect(out).toContain('files   1 analysed\n');
    }
  });

  it('refuses a place that cannot be written to, before any work', async () => {
    const path = join(folder, 'none', 'report.json');
    expect(await svc('analyze', logs, '--output', path)).toMatchObject({
      code: 2,
      out: '',
      err: `svc: ${path}: there is no such folder\n`,
    });
  });
});

it('svc analyze --stats gives what logs consist of with each report', async () => {
  const { ran, given } = await reports(join(logs, 'a.evtx'), '--stats');
  expect(ran.err).toBe('');
  expect(given[0]!.statistics).toMatchObject({
    bytes: powershell.length,
    first: expect.stringMatching(/^2026-11-17T/),
    kinds: expect.arrayContaining([
      { channel: 'Microsoft-Windows-PowerShell/Operational', event_id: '4104', count: expect.any(Number) },
    ]),
    peak_memory_bytes: expect.any(Number),
  });
  expect(given[0]!.statistics!.kinds.reduce((sum, { count }) => sum + count, 0)).toBe(36);
});

import { zipSync } from 'fflate';
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { svc, svcOn } from './testing/svc.ts';

const log = fileURLToPath(new URL('../../config/samples/intrusion-sysmon.evtx', import.meta.url));
const rule = `title: Started from a shell
id: 6a0c1f4e-2d0b-4b2c-9c58-7a4f2c9d1e01
level: high
logsource: {product: windows, category: process_creation}
detection:
  selection: {Image|endswith: [${Array.from({ length: 20 }, (_, at) => `\\tool${at}.exe`).join(', ')}, .exe]}
  filter_system: {User|endswith: 'SYSTEM'}
  condition: selection and not filter_system
`;
let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-explain-'));
  path = join(folder, 'rule.yml');
  await writeFile(path, rule);
});
afterAll(() => rm(folder, { recursive: true }));

/** The first process that was started as SYSTEM, or not so. */
async function startedBy(system: boolean): Promise<string> {
  const all = join(folder, 'all.yml');
  const detection = `{s: {User|endswith: SYSTEM}, condition: ${system ? '' : 'not '}s}`;
  const logsource = '{product: windows, category: process_creation}';
  await writeFile(all, `title: T\nlogsource: ${logsource}\ndetection: ${detection}\n`);
  const { out } = await svc('analyze', log, '--rules', all, '--format', 'json', '--max-events', '1');
  const report = JSON.parse(out) as { findings: [{ events: [{ record_id: string }] }] };
  return report.findings[0].events[0].record_id;
}

describe('svc explain', () => {
  it('shows a match with the values that hold', async () => {
    const { code, out } = await svc('explain', path, log, '--record', await startedBy(false));
    expect(code).toBe(0);
    expect(out).toContain('\nMatch  Started from a shell  high\n');
    expect(out).toContain('✓ log source  windows / process_creation\n');
    expect(out).toContain('          ✓ .exe\n          … and 20 more that do not hold\n');
  });

  it('names the part that decides', async () => {
    const { out } = await svc('explain', path, log, '--record', await startedBy(true));
    expect(out).toContain('\nNo match  Started from a shell  high\n');
    expect(out).toMatch(
      /✓ filter_system {3}← the condition fails because this holds\n {6}✓ User\|endswith {3}"NT AUTHOR/,
    );
  });

  it('looks a rule up by its id or title', async () => {
    for (const name of ['6A0C1F4E-2d0b-4b2c-9c58-7a4f2c9d1e01', 'started from a SHELL']) {
      const { code, out } = await svc('explain', name, log, '--rules', path, '--record', '#1', '--format', 'json');
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({
        log_type: 'evtx',
        number: 1,
        head: { record_id: expect.any(String) as string },
        fields: { EventRecordID: expect.any(Number) as number },
        explanations: [{ rule_name: 'Started from a shell', views: [{ conditions: [expect.any(String)] }] }],
      });
    }
  });

  it('explains the rules that a correlation counts', async () => {
    const correlations = join(folder, 'correlations.yml');
    const counting = (title: string, of: string): string =>
      `title: ${title}\nname: ${title}\nlevel: high\ncorrelation: {type: event_count, rules: [${of}], group-by: [User], timespan: 5m, condition: {gte: 5}}\n`;
    await writeFile(
      correlations,
      [counting('Bursts', 'Many'), counting('Many', '6a0c1f4e-2d0b-4b2c-9c58-7a4f2c9d1e01'), rule].join('---\n'),
    );
    const { code, out } = await svc('explain', 'bursts', log, '--rules', correlations, '--record', '#1');
    expect(code).toBe(0);
    expect(out).toContain(
      `\nCorrelation  Bursts  high\n${correlations}\n\n  event_count within 300 s by User, over matches of the rules below`,
    );
    expect(out).toMatch(/\n(No m|M)atch {2}Started from a shell/);
    expect(out).not.toContain('Many');
    const report = await svc('explain', correlations, log, '--record', '#1', '--format', 'json');
    expect(JSON.parse(report.out)).toMatchObject({
      explanations: [{ rule_name: 'Started from a shell' }],
      correlations: [
        { rule_name: 'Many', severity: 'high' },
        { rule_name: 'Bursts', severity: 'high' },
      ],
    });
  });

  it('takes a log as reports name it: in an archive, or from standard input', async () => {
    const bytes = await readFile(log);
    const archive = join(folder, 'logs.zip');
    await writeFile(archive, zipSync({ 'a/x.evtx': bytes, 'b.txt': new TextEncoder().encode('no log') }));
    const single = join(folder, 'one.zip');
    await writeFile(single, zipSync({ 'x.evtx': bytes }));
    const { out: expected } = await svc('explain', path, log, '--record', '#3');
    for (const name of [join(archive, 'a/x.evtx'), single]) {
      expect((await svc('explain', path, name, '--record', '#3')).out).toBe(expected);
    }
    const input = Readable.from([bytes]);
    expect((await svcOn({ input }, 'explain', path, '-', '--record', '#3')).out).toBe(expected);
    expect((await svc('explain', path, archive, '--record', '#3')).err).toContain(
      `${archive}: it is an archive; name one of its logs, as ${archive}/a/x.evtx`,
    );
    expect((await svc('explain', path, join(archive, 'c.evtx'), '--record', '#3')).err).toContain(
      `c.evtx: there is no such log in ${archive}; name one`,
    );
  });

  it('takes records that do not tell their log source for what is said', async () => {
    const table = join(folder, 'table.csv');
    await writeFile(table, 'Image,User\nC:\\x\\tool1.exe,ann\n');
    const explained = (...more: string[]) => svc('explain', path, table, '--record', '1', ...more);
    expect((await explained()).out).toContain('\nNo match');
    expect((await explained('--log-source', 'any')).out).toContain('\nMatch');
    expect((await explained('--log-source', 'product=linux')).out).toContain('\nNo match');
  });

  it('takes a time without a year for the last one before the log was changed', async () => {
    const messages = join(folder, 'messages');
    await writeFile(messages, 'Mar  1 10:00:00 web1 sshd[1]: one\nMar  1 10:00:01 web1 sshd[1]: two\n');
    await utimes(messages, new Date('2019-06-01'), new Date('2019-06-01'));
    expect((await svc('explain', path, messages, '--record', '#2')).out).toContain('2019-03-01T10:00:01Z');
  });

  it.each([
    [['Shell', log, '--rules', 'RULE', '--record', '1'], 'close are “Started from a shell”'],
    [['RULE', log, '--record', '#99999999'], 'There is no record #99999999 among the'],
    [['RULE', log], "'--record <N>' not specified\nIt is: svc explain RULE FILE --record N"],
    [['RULE', log, '--record', '#x'], '--record is a record id'],
    [['RULE', log, '--record', ' '], '--record is a record id'],
    [['RULE', log, '--record', 'CAbC-1'], 'There is no record CAbC-1 among the'],
    [[dirname(log), log, '--record', '1'], 'is a folder; name a rule, and the folder with --rules'],
    [['RULE', dirname(log), '--record', '1'], 'it is a folder; name one log'],
    [['RULE', '--record', '1'], 'svc explain RULE FILE --record N'],
    [['RULE', 'nowhere.evtx', '--record', '1'], 'nowhere.evtx: there is no such file'],
  ])('refuses %j', async (argv, message) => {
    const { code, err } = await svc('explain', ...argv.map((one) => (one === 'RULE' ? path : one)));
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

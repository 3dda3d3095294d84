import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { svc } from './testing/svc.ts';

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

  it.each([
    [['Shell', log, '--rules', 'RULE', '--record', '1'], 'close are “Started from a shell”'],
    [['RULE', log, '--record', '#99999999'], 'There is no record #99999999 among the'],
    [['RULE', log], '--record is a record id'],
    [['RULE', '--record', '1'], 'svc explain RULE FILE --record N'],
    [['RULE', 'nowhere.evtx', '--record', '1'], 'nowhere.evtx: there is no such file'],
  ])('refuses %j', async (argv, message) => {
    const { code, err } = await svc('explain', ...argv.map((one) => (one === 'RULE' ? path : one)));
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

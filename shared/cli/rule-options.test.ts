import { zipSync } from 'fflate';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { svc } from './testing/svc.ts';

let folder: string;
const file = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-options-'));
  const rule = `title: Admin
logsource: {product: windows, category: process_creation}
detection: {s: {User|expand: '%Administrators%'}, condition: s}
`;
  await writeFile(file('rule.yml'), rule);
  await writeFile(file('ours.yml'), 'Administrators: [adm*]\n');
  await writeFile(file('bad.yml'), 'Administrators: [{a: b}]\n');
  await writeFile(
    file('table.csv'),
    'Time,Image,User\n2026-03-01T10:00:00Z,a.exe,ADM1\n2026-03-01T10:00:01Z,b.exe,bob\n',
  );
});
afterAll(() => rm(folder, { recursive: true }));

interface Report {
  readonly rules: { readonly rejected: readonly { readonly message: string }[] };
  readonly findings: readonly { readonly rule_name: string; readonly count: number }[];
  readonly warnings: readonly string[];
}

async function analyzed(...options: string[]): Promise<Report> {
  const { out } = await svc('analyze', file('table.csv'), '--rules', file('rule.yml'), '--format', 'json', ...options);
  return JSON.parse(out) as Report;
}

const process = ['--log-source', 'product=windows, category=process_creation'];
const counts = ({ findings }: Report): readonly (readonly [string, number])[] =>
  findings.map(({ rule_name: name, count }) => [name, count]);

describe('--placeholders', () => {
  it('tells what rules mean by their %names%', async () => {
    expect(counts(await analyzed(...process, '--placeholders', file('ours.yml')))).toEqual([['Admin', 1]]);
    const without = await analyzed(...process);
    expect(counts(without)).toEqual([]);
    expect(without.rules.rejected).toMatchObject([{ message: expect.stringContaining('%Administrators%') as string }]);
  });

  it('may be left out where unknown ones are taken for anything', async () => {
    const any = await analyzed(...process, '--unknown-placeholders', 'any');
    expect(counts(any)).toEqual([['Admin', 2]]);
    expect(any.warnings.join()).toContain('%Administrators%');
  });

  it('is for checking rules and explaining them, too', async () => {
    expect((await svc('rules', 'check', file('rule.yml'))).code).toBe(1);
    expect((await svc('rules', 'check', file('rule.yml'), '--placeholders', file('ours.yml'))).code).toBe(0);
    const explain = ['explain', file('rule.yml'), file('table.csv'), '--record', '#1', '--format', 'json'];
    expect((await svc(...explain)).err).toContain('%Administrators%');
    expect((await svc(...explain, '--placeholders', file('ours.yml'))).out).toContain('"condition_holds": true');
  });

  it.each([
    [['--placeholders', 'missing.yml'], 'missing.yml'],
    [['--placeholders', 'bad.yml'], 'line 1: A value of the placeholder Administrators'],
    [['--unknown-placeholders', 'some'], 'reject, any'],
  ])('refuses %j', async ([option = '', value = ''], reason) => {
    const named = value.endsWith('.yml') ? file(value) : value;
    const { code, err } = await svc('analyze', file('table.csv'), '--rules', file('rule.yml'), option, named);
    expect([code, err]).toEqual([2, expect.stringContaining(reason)]);
  });
});

describe('--log-source', () => {
  it('is told of records that do not tell it', async () => {
    const given = ['--placeholders', file('ours.yml')];
    const without = await analyzed(...given);
    expect(counts(without)).toEqual([]);
    expect(without.warnings.join()).toContain('no rule was tried');
    expect(counts(await analyzed(...given, '--log-source', 'any'))).toEqual([['Admin', 1]]);
    expect(counts(await analyzed(...given, '--log-source', 'product=linux'))).toEqual([]);
  });

  it.each(['windows', 'product=', 'product=windows,vendor=x', ''])('refuses %j', async (value) => {
    const { code, err } = await svc('analyze', file('table.csv'), '--log-source', value);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/--log-source .* is invalid\. It is any, or as product=linux/),
    ]);
  });
});

describe('packs of rules', () => {
  const pack = {
    'rules/a.yml': 'title: Any\nlogsource: {product: windows}\ndetection: {s: {Image: a.exe}, condition: s}\n',
  };
  const bytes = (text: string): Uint8Array => Buffer.from(text);

  it('are used as they are, and checked', async () => {
    await writeFile(file('pack.zip'), zipSync({ 'rules/a.yml': bytes(pack['rules/a.yml']) }));
    const { out } = await svc(
      'analyze',
      file('table.csv'),
      '--rules',
      file('pack.zip'),
      '--format',
      'json',
      ...process,
    );
    expect(counts(JSON.parse(out) as Report)).toEqual([['Any', 1]]);
    const checked = await svc('rules', 'check', file('pack.zip'), '--format', 'json');
    expect(JSON.parse(checked.out)).toMatchObject({ files: 1, loaded: 1 });
  });

  it('are refused with a sentence where they are not safe', async () => {
    await writeFile(file('bad.zip'), zipSync({ '../a.yml': bytes(pack['rules/a.yml']) }));
    const { code, err } = await svc('analyze', file('table.csv'), '--rules', file('bad.zip'));
    expect([code, err]).toEqual([2, expect.stringMatching(/bad\.zip: .*leads out/)]);
  });
});

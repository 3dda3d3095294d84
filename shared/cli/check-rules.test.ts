import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { RuleProfileReport } from './formats/rule-profile.ts';
import type { RulesReport } from './formats/rules-report.ts';
import { svc, svcOn } from './testing/svc.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-rules-'));
afterAll(() => rmSync(folder, { recursive: true }));

function rule(path: string, logSource: string, more = ''): string {
  const at = join(folder, path);
  mkdirSync(join(at, '..'), { recursive: true });
  writeFileSync(at, `title: Rule ${path}\nlogsource: ${logSource}\ndetection:\n  a: { B: c }\n  condition: a\n${more}`);
  return at;
}

rule('good/windows/one.yml', '{ product: windows, service: security }');
rule('good/windows/two.yml', '{ product: windows, service: security }');
rule('good/strange.yml', '{ product: teapot }');
rule('good/old.yml', '{ product: windows }', 'status: deprecated\n');
rule('good/odd.yml', '{ product: windows, category: process_creation }', 'x: 1\n');
const wrong = rule('bad/wrong.yml', '{ product: windows }', 'level: awful\n');
const good = join(folder, 'good');

describe('svc rules check', () => {
  it('tells what loads, by tree and log source, and what no log here can satisfy', async () => {
    const { code, out, err } = await svc('rules', 'check', good);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(`Rules by log source
  windows  3  security 2, process_creation 1

Rules for logs that cannot be read here yet
  teapot  1  all of it 1

  loaded  rejected  retired  warnings  in
       2         0        1         0  ${good}
       2         0        0         0  ${good}/windows

4 rules loaded from 5 files, 0 rejected, 1 retired, 0 warnings
`);
  });

  it('keeps log sources to the width of a terminal', async () => {
    for (const name of ['image_load', 'registry_event', 'file_access', 'ps_module']) {
      rule(`wide/${name}.yml`, `{ product: windows, category: ${name} }`);
    }
    const { out } = await svcOn({ width: 50, colour: true }, 'rules', 'check', join(folder, 'wide'));
    expect(out).toContain(`  windows  4  file_access 1, image_load 1,
              ps_module 1, registry_event 1
`);
    expect(out).toContain('\u001B[1m4 rules loaded from 4 files\u001B[0m');
  });

  it('exits with 1 when a rule is rejected, and says where and why', async () => {
    const { code, out } = await svc('rules', 'check', good, wrong);
    expect(code).toBe(1);
    expect(out).toContain(`rejected  ${wrong}:6: The level “awful” is unknown\n`);
  });

  it('says the same as JSON', async () => {
    const { code, out } = await svc('rules', 'check', wrong, good, '--format', 'json');
    expect(code).toBe(1);
    const report = JSON.parse(out) as RulesReport;
    expect(report).toMatchObject({
      files: 6,
      loaded: 4,
      rejected: [{ path: wrong, line: 6, message: 'The level “awful” is unknown' }],
      retired: [{ path: join(good, 'old.yml'), line: 6 }],
      warnings: [],
    });
    expect(report.trees.map(({ path, loaded, rejected }) => [path, loaded, rejected])).toEqual([
      [wrong, 0, 1],
      [good, 2, 0],
      [join(good, 'windows'), 2, 0],
    ]);
    expect(report.log_sources).toContainEqual({
      product: 'teapot',
      category: null,
      service: null,
      rules: 1,
      has_input: false,
    });
  });

  it('refuses paths that are not there, folders without rules, and options of other commands', async () => {
    const none = join(folder, 'none');
    expect(await svc('rules', 'check', none)).toMatchObject({ code: 2, err: expect.stringContaining(none) });
    mkdirSync(join(folder, 'empty'));
    expect(await svc('rules', 'check', join(folder, 'empty'))).toMatchObject({ code: 2, out: '' });
    expect(await svc('rules', 'check')).toMatchObject({
      code: 2,
      err: expect.stringContaining('svc rules check PATH…'),
    });
    expect(await svc('rules')).toMatchObject({ code: 2, err: expect.stringContaining('svc rules takes one of check') });
    const foreign = await svc('rules', 'check', good, '--max-events', '1');
    expect(foreign).toMatchObject({ code: 2, err: expect.stringContaining("unknown option '--max-events'") });
  });

  it('has a help of its own', async () => {
    expect(await svc('rules', 'check', '--help')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Usage: svc rules check'),
    });
  });
});

describe('svc rules profile', () => {
  const events = [1, 2, 3, 4].map((id) => ({
    Event: {
      System: { EventID: 4688, Channel: 'Security' },
      EventData: { CommandLine: id === 4 ? 'tool' : `tool ${id}` },
    },
  }));
  const log = join(folder, 'log.jsonl');
  writeFileSync(log, events.map((event) => JSON.stringify(event)).join('\n'));
  const named = (name: string, condition: string) => {
    const at = join(folder, `${name}.yml`);
    const source = 'logsource: { product: windows, service: security }';
    writeFileSync(at, `title: ${name}\n${source}\ndetection:\n  a: { ${condition} }\n  condition: a\n`);
    return ['--rules', at];
  };
  const rules = [
    ...named('always', "CommandLine|startswith: 'tool'"),
    ...named('once', "CommandLine|endswith: 'tool 2'"),
    ...named('never', "CommandLine|contains: 'elsewhere'"),
  ];

  it('tells how often each rule was tried and matched, and its share of the time', async () => {
    const { code, out, err } = await svc('rules', 'profile', log, ...rules, '--format', 'json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { events: read, rules: profiled } = JSON.parse(out) as RuleProfileReport;
    const told = Object.fromEntries(profiled.map(({ title, tries, hits }) => [title, [tries, hits]]));
    expect([read, told]).toEqual([4, { always: [4, 4], once: [expect.any(Number), 1], never: [0, 0] }]);
    for (const { ms, share } of profiled) expect([ms >= 0, share >= 0, share <= 1]).toEqual([true, true, true]);
  });

  it('shows those that took most, and says how many others there are', async () => {
    const { out } = await svc('rules', 'profile', log, ...rules, '--top', '1');
    expect(out).toContain('share');
    expect(out).toMatch(
      /4 records in [\d,]+ ms, of which evaluating rules [\d,]+ ms\n2 of 3 rules were tried; 1 more took less\n/,
    );
  });

  it('exits with 2 where no record could be read', async () => {
    const { code, err } = await svc('rules', 'profile', join(folder, 'none'), ...rules);
    expect(code).toBe(2);
    expect(err).toContain('none');
  });
});

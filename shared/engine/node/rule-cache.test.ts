import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LoadedRules } from '../sigma/load-rules.ts';
import { ruleOf } from '../testing/rule-check.ts';
import { loadRulesFrom, type RuleCache } from './rule-cache.ts';

const first = ruleOf("s: {Image|endswith: ['\\\\cmd.exe', ünï]}\ncondition: s", '{category: process_creation}');
const bad = first.replace('condition: s', 'condition: t');

let folder: string;
let rules: string;
let cache: RuleCache;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rule-cache-'));
  rules = join(folder, 'rules');
  cache = { folder: join(folder, 'cache'), engine: '1' };
  mkdirSync(rules);
  write('a.yml', first);
  write('b.yml', bad);
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  writeFileSync(join(rules, name), text);
}

/** All that loading tells, rules with what they give only when asked. */
function told({ rules: set, ...rest }: LoadedRules): unknown {
  const whole = set.rules.map(({ id, title, level, path, logSource, expression, source }) => {
    return { id, title, level, path, logSource, expression, source };
  });
  return { ...rest, rules: whole, correlations: set.correlations, silent: set.silent };
}

function kept(kind: string): string[] {
  return readdirSync(cache.folder)
    .filter((name) => name.endsWith(kind))
    .map((name) => join(cache.folder, name));
}

describe('loadRulesFrom', () => {
  it('tells the same of rules that it knows, the rejected and the doubled ones too', async () => {
    write('c.yml', first);
    const plain = told(await loadRulesFrom([rules]));
    expect(plain).toMatchObject({ rejected: [{ path: join(rules, 'b.yml') }], loaded: 2 });
    for (let time = 0; time < 3; time++) expect(told(await loadRulesFrom([rules], {}, cache))).toEqual(plain);
    expect(kept('.rules')).toHaveLength(1);
  });

  it('loads anew what has changed, added or gone', async () => {
    const titles = async (): Promise<string[]> =>
      (await loadRulesFrom([rules], {}, cache)).rules.rules.map(({ title }) => title);
    const [title] = await titles();
    write('a.yml', first.replace('title: Test', 'title: Tset'));
    const [changed] = await titles();
    expect(changed).not.toBe(title);
    write('d.yml', first);
    expect(await titles()).toEqual([changed, title]);
    rmSync(join(rules, 'a.yml'));
    expect(await titles()).toEqual([title]);
  });

  it('goes by sizes and times only where nothing was changed just before', async () => {
    await loadRulesFrom([rules], {}, cache);
    expect(kept('.state')).toHaveLength(0);
    // The time of change cannot be set back, so it has to pass.
    await new Promise((resolve) => setTimeout(resolve, 2100));
    await loadRulesFrom([rules], {}, cache);
    expect(kept('.state')).toHaveLength(1);
    const same = await loadRulesFrom([rules], {}, cache);
    expect(same.rules.rules).toHaveLength(1);
    write('a.yml', first.replace('cmd.exe', 'dmc.exe'));
    utimesSync(join(rules, 'a.yml'), 1, 1);
    const { rules: edited } = await loadRulesFrom([rules], {}, cache);
    expect(JSON.stringify(edited.rules[0]!.expression)).toContain('dmc.exe');
  });

  it('keeps apart engines, options and names of the same rules', async () => {
    write('e.yml', `${first}status: deprecated\n`);
    const count = async (...given: Parameters<typeof loadRulesFrom>): Promise<number> =>
      (await loadRulesFrom(...given)).loaded;
    expect(await count([rules], {}, cache)).toBe(1);
    expect(await count([rules], { includeRetired: true }, cache)).toBe(2);
    expect(await count([rules], {}, { ...cache, engine: '2' })).toBe(1);
    expect(await count([join(rules, 'a.yml')], {}, cache)).toBe(1);
    expect(kept('.rules')).toHaveLength(4);
  });

  it('does without a cache that is damaged', async () => {
    const plain = told(await loadRulesFrom([rules], {}, cache));
    const [path] = kept('.rules');
    const whole = readFileSync(path!);
    for (const damage of [whole.subarray(0, 100), Buffer.alloc(0), whole.map((byte, at) => (at === 60 ? 0 : byte))]) {
      writeFileSync(path!, damage);
      expect(told(await loadRulesFrom([rules], {}, cache))).toEqual(plain);
      expect(readFileSync(path!)).toEqual(whole);
    }
  });

  it('does without a cache that cannot be written', async () => {
    const plain = told(await loadRulesFrom([rules]));
    writeFileSync(join(folder, 'file'), '');
    const under = { folder: join(folder, 'file', 'cache'), engine: '1' };
    expect(told(await loadRulesFrom([rules], {}, under))).toEqual(plain);
  });

  it('is bounded', async () => {
    for (let time = 0; time < 12; time++) await loadRulesFrom([rules], {}, { ...cache, engine: String(time) });
    expect(kept('.rules')).toHaveLength(8);
    expect(kept('.part')).toHaveLength(0);
  });

  it('rejects as reading does where a path is missing', async () => {
    await expect(loadRulesFrom([join(folder, 'missing')], {}, cache)).rejects.toThrow(/missing/);
  });
});

import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import type { RuleFilters } from '@svc/domain';
import { unpackRules } from '@svc/engine';
import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EngineFailure, type ReadyRules } from '../ports/detection-engine.ts';
import type { Ports } from '../ports/ports.ts';
import { rulesForTask } from './rules-for-task.ts';
import { takeCorePack } from './take-core-pack.ts';
import { type PackOrigin, takeRulePack } from './take-rule-pack.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-rules-'));
const open: RuleFilters = { minLevel: null, statuses: [], logSources: [], tags: [], include: [], exclude: [] };
const every = { packs: null, filters: open };
let test: TestPorts;
let ports: Ports;
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(() => test.reset());
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

const idOf = (last: number): string => `2f3c1a10-0000-4000-8000-00000000000${last}`;

function rule(last: number, more = ''): string {
  return `title: R${last}
id: ${idOf(last)}
level: ${last % 2 === 1 ? 'high' : 'low'}
date: 2026-08-0${last}
author: J. Doe
license: DRL 1.1
logsource: { product: windows, category: process_creation }
detection: { s: { Image|endswith: '\\r${last}.exe'${more} }, condition: s }
`;
}

/** A folder with these files, as a pack from nowhere in particular. */
async function packOf(files: Readonly<Record<string, string>>): Promise<PackOrigin> {
  const path = mkdtempSync(join(folder, 'pack-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  return { path, fileName: 'Own Rules.zip', source: 'Own Rules.zip', url: null };
}

async function take(name: string, files: Readonly<Record<string, string>>): Promise<boolean> {
  return (await takeRulePack(ports, await packOf(files), { name, version: null }, null)).changed;
}

async function titles(ready: ReadyRules): Promise<string[]> {
  const { rules } = unpackRules(await ready.load());
  return rules.map(({ title, level }) => `${title} ${level}`).sort();
}

const multiplied = (levels: number): string =>
  Array.from({ length: levels }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(10)}]\n`).join('');

describe('a pack', () => {
  it('is in force with its facts, and its rejected rules in a report', async () => {
    const origin = await packOf({ 'a.yml': rule(1), 'b.yml': rule(2), 'bad.yml': 'title: Bad\nlogsource: {}\n' });
    expect(await takeRulePack(ports, origin, { name: null, version: null }, null)).toEqual({
      name: 'own-rules',
      changed: true,
    });
    const [{ pack } = { pack: null }] = await ports.rulePacks.list();
    expect(pack?.inForce).toMatchObject({
      version: expect.stringMatching(/^2026-08-02-[0-9a-f]{8}$/),
      source: 'Own Rules.zip',
      licence: null,
      loaded: 2,
      rejected: 1,
      datedAt: '2026-08-02',
    });
    const reader = await ports.objects.open(pack!.inForce.reportKey);
    const bytes = new Uint8Array(reader.size);
    await reader.read(0, bytes);
    await reader.close();
    expect(JSON.parse(Buffer.from(bytes).toString())).toMatchObject({
      rejected: [{ path: 'bad.yml', line: 1, message: expect.stringContaining('detection') }],
    });
  });

  it('is not taken again while just this is in force, and says itself what it is', async () => {
    const manifest = '{"name": "team", "version": "7", "licence": "CC0"}';
    const origin = await packOf({ 'a.yml': rule(1), 'pack.json': manifest });
    expect(await takeRulePack(ports, origin, { name: null, version: null }, null)).toMatchObject({ name: 'team' });
    expect(await takeRulePack(ports, origin, { name: null, version: '8' }, null)).toMatchObject({ changed: false });
    const [entry] = await ports.rulePacks.list();
    expect(entry?.pack.inForce).toMatchObject({ version: '7', licence: 'CC0' });
  });

  it('of SigmaHQ’s releases is called as they are', async () => {
    const unlicensed = rule(1).replace(/^license.*\n/m, '');
    const release = `Release Date: 2026-08-05\nLabel: r2026-08-05\nCommit-Hash: ${'0a'.repeat(20)}\n`;
    const origin = { ...(await packOf({ 'a.yml': unlicensed, 'version.txt': release })), fileName: 'sigma_core++.zip' };
    await takeRulePack(ports, origin, { name: null, version: null }, null);
    const [entry] = await ports.rulePacks.list();
    expect(entry?.pack).toMatchObject({
      name: 'sigma_core-plus-plus',
      inForce: { version: 'r2026-08-05', licence: 'DRL-1.1' },
    });
  });

  it.each([
    ['nothing of use', { 'a.yml': 'title: x\n' }, /None of the rules.*a\.yml:1/],
    [
      'hardly anything of use',
      { 'a.yml': rule(1), 'b.yml': 'x\n', 'c.yml': 'y\n' },
      /taken for damaged.*2 of its rules/,
    ],
    [
      'aliases that multiply',
      { 'a.yml': rule(1), 'b.yml': `title: x\nl: &l [x]\nm: [${'*l, '.repeat(1001)}x]\n` },
      /b\.yml:\d+ is made to take time or memory/,
    ],
    [
      'aliases that are few and stand for much',
      { 'a.yml': rule(1), 'b.yml': `${rule(2)}a0: &a0 [x]\n${multiplied(12)}` },
      /b\.yml:1 is made to take/,
    ],
    ['nesting without end', { 'a.yml': rule(1), 'b.yml': `a: ${'['.repeat(50_000)}` }, /b\.yml:1 is made to take/],
    [
      'a giant expression',
      { 'a.yml': rule(1), 'b.yml': rule(2, `, A|re: '${'(a|b)'.repeat(5000)}'`) },
      /b\.yml:\d+ is made/,
    ],
    [
      'an expression that unfolds',
      { 'a.yml': rule(1), 'b.yml': rule(2, ", A|re: '((a{1,1000}){1,1000}){1,1000}'") },
      /b\.yml:\d+ is made/,
    ],
    [
      'a condition without end',
      { 'a.yml': rule(1), 'b.yml': rule(2).replace('condition: s', `condition: ${'not '.repeat(2000)}s`) },
      /b\.yml:\d+ is made/,
    ],
  ])('with %s is refused, and the one before stays in force', async (_, files, message) => {
    await take('own', { 'a.yml': rule(1) });
    await expect(take('own', files)).rejects.toMatchObject({
      code: 'pack_refused',
      message: expect.stringMatching(message),
    });
    expect(await titles(await rulesForTask(ports, every))).toEqual(['R1 high']);
  });

  it('that ships is in force after the start, and is taken once', async () => {
    await takeCorePack(ports);
    const [entry] = await ports.rulePacks.list();
    expect(entry?.pack).toMatchObject({ name: 'core', enabled: true });
    expect(entry!.pack.inForce).toMatchObject({ source: 'shipped', rejected: 0, licence: 'Apache-2.0' });
    expect(entry!.pack.inForce.loaded).toBeGreaterThan(200);
    const compile = () => Promise.reject(new Error('compiled again'));
    await takeCorePack({ ...ports, ruleCompiler: overriding(ports.ruleCompiler, { compile }) });
    expect(await ports.rulePacks.list()).toHaveLength(1);
  }, 30_000);
});

describe('the rules of a task', () => {
  beforeEach(async () => {
    await take('first', { 'a.yml': rule(1), 'b.yml': rule(2) });
    await take('second', { 'c.yml': rule(3) });
  });

  it('are those of every enabled pack, of which it tells', async () => {
    const ready = await rulesForTask(ports, every);
    expect(await titles(ready)).toEqual(['R1 high', 'R2 low', 'R3 high']);
    expect(ready.ruleSet).toMatchObject({ name: 'first + second', loaded: 3, rejected: 0 });
    expect(ready.ruleSet.packs.map(({ name, datedAt }) => [name, datedAt])).toEqual([
      ['first', '2026-08-02'],
      ['second', '2026-08-03'],
    ]);
    await ports.rulePacks.change('first', { enabled: false });
    expect(await titles(await rulesForTask(ports, every))).toEqual(['R3 high']);
    await ports.rulePacks.change('second', { enabled: false });
    await expect(rulesForTask(ports, every)).rejects.toThrow('No rule pack is enabled');
  });

  it('are those of the packs that it names, as its filters say', async () => {
    expect(await titles(await rulesForTask(ports, { packs: ['second'], filters: open }))).toEqual(['R3 high']);
    const high = await rulesForTask(ports, { packs: null, filters: { ...open, minLevel: 'high' } });
    expect(await titles(high)).toEqual(['R1 high', 'R3 high']);
    expect(high.ruleSet.loaded).toBe(2);
    const none = { packs: null, filters: { ...open, tags: ['attack.t9999'] } };
    await expect(rulesForTask(ports, none)).rejects.toThrow('leave no rule');
    const unknown = rulesForTask(ports, { packs: ['third'], filters: open });
    await expect(unknown).rejects.toBeInstanceOf(EngineFailure);
    await expect(unknown).rejects.toThrow('names the rule pack “third”');
  });

  it('follow what was decided about single rules, also in the next version', async () => {
    await ports.rulePacks.override('first', idOf(1), { enabled: false, level: null });
    await ports.rulePacks.override('first', idOf(2), { enabled: true, level: 'critical' });
    expect(await titles(await rulesForTask(ports, every))).toEqual(['R2 critical', 'R3 high']);
    await take('first', { 'a.yml': rule(1), 'b.yml': rule(2), 'd.yml': rule(4) });
    expect(await titles(await rulesForTask(ports, every))).toEqual(['R2 critical', 'R3 high', 'R4 low']);
  });

  it('stay what they were when a pack changes meanwhile', async () => {
    const ready = await rulesForTask(ports, { packs: ['first'], filters: open });
    await take('first', { 'd.yml': rule(4) });
    expect(await titles(ready)).toEqual(['R1 high', 'R2 low']);
    expect(await titles(await rulesForTask(ports, { packs: ['first'], filters: open }))).toEqual(['R4 low']);
  });

  it('are compiled once, and again only when the compiled ones are gone', async () => {
    let compiled = 0;
    const counting = {
      ...ports,
      ruleCompiler: overriding(ports.ruleCompiler, {
        compile: (files) => ((compiled += 1), ports.ruleCompiler.compile(files)),
        combine: (parts, filters) => ((compiled += 1), ports.ruleCompiler.combine(parts, filters)),
      }),
    };
    const { digest } = await rulesForTask(counting, every);
    expect((await rulesForTask(counting, every)).digest).toBe(digest);
    expect(compiled).toBe(1);
    for (const { storageKey } of await ports.ruleArtifacts.removeOld(new Date(Date.now() + 1000))) {
      await ports.objects.delete(storageKey);
    }
    expect(await titles(await rulesForTask(counting, every))).toHaveLength(3);
    expect(compiled).toBe(4);
  });

  it('are made again when only their object is gone', async () => {
    const ready = await rulesForTask(ports, every);
    await ports.objects.delete((await ports.ruleArtifacts.find(ready.digest))!.storageKey);
    expect(await titles(ready)).toHaveLength(3);
    expect(await titles(await rulesForTask(ports, every))).toHaveLength(3);
  });
});

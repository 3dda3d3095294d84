import { RulePackRefused } from '@svc/application/ports/rule-compiler.ts';
import { unpackRules } from '@svc/engine';
import { mkdtempSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../../test/support/shared-data.ts';
import { projectRoot } from '../machine/project-root.ts';
import { ThreadRuleCompiler } from './thread-rule-compiler.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-compiler-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const rule = (title: string, detection: string, more = ''): string =>
  `title: ${title}\n${more}logsource: { product: windows }\ndetection: { s: { ${detection} }, condition: s }\n`;

let packs = 0;
async function packOf(files: Readonly<Record<string, string>>): Promise<string> {
  const path = join(folder, `pack-${++packs}`);
  await mkdir(path);
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  return path;
}

it('reads a pack and its facts, and compiles what it has read', async () => {
  const compiler = new ThreadRuleCompiler({});
  const path = await packOf({
    'a.yml': rule('A', 'EventID: 1', 'date: 2024/03/01\nmodified: 2025-01-02\nlicense: CC0-1.0\n'),
    'b.yml': rule('B', "Image|endswith: '\\b.exe'", 'status: deprecated\nlicense: CC0-1.0\n'),
  });
  const content = await compiler.read(path);
  expect(content).toMatchObject({ name: null, version: null, licence: 'CC0-1.0', datedAt: '2025-01-02' });
  expect((await compiler.read(path)).digest).toBe(content.digest);
  const { artifact, ...report } = await compiler.compile(content.files);
  expect(report).toMatchObject({ loaded: 1, rejected: [], retired: [{ path: 'b.yml', line: 2 }] });
  expect(unpackRules(artifact).rules.map(({ title, path: from }) => [title, from])).toEqual([['A', 'a.yml']]);
  const open = { minLevel: null, statuses: [], logSources: [], tags: [], include: [], exclude: [] };
  await writeFile(join(path, 'a.yml'), rule('A2', 'EventID: 1'));
  const changed = await compiler.read(path);
  const other = await compiler.compile(changed.files);
  const parts = [artifact, other.artifact, artifact].map((one) => ({ artifact: one, overrides: [] }));
  expect(await compiler.combine(parts, open)).toMatchObject({ loaded: 2 });
  expect(changed.digest).not.toBe(content.digest);
  // They do not state the same any more.
  expect([changed.licence, changed.datedAt]).toEqual([null, null]);
});

it('knows what placeholders stand for, differs by their values, and says what is wrong with them', async () => {
  const placeholdersFile = join(folder, 'placeholders.yml');
  const compiler = new ThreadRuleCompiler({ placeholdersFile });
  const { files } = await compiler.read(await packOf({ 'a.yml': rule('A', "Image|expand: '%Tools%'") }));
  await expect(new ThreadRuleCompiler({}).compile(files)).rejects.toThrow(/None of the rules.*%Tools%/);
  await expect(compiler.compile(files)).rejects.toThrow(placeholdersFile);
  await writeFile(placeholdersFile, 'Tools: {a: b}\n');
  await expect(compiler.identity()).rejects.toThrow(/placeholders\.yml cannot be used: line 1/);
  await writeFile(placeholdersFile, 'Tools: [whoami.exe]\n');
  const before = await compiler.identity();
  expect(await compiler.compile(files)).toMatchObject({ loaded: 1 });
  await writeFile(placeholdersFile, 'Tools: [whoami.exe, id.exe]\n');
  expect(await compiler.identity()).not.toBe(before);
});

it('refuses a pack that is not there', async () => {
  const missing = join(folder, 'missing.zip');
  const reading = new ThreadRuleCompiler({}).read(missing);
  await expect(reading).rejects.toBeInstanceOf(RulePackRefused);
  await expect(reading).rejects.toThrow(`There is no file or folder ${missing}`);
});

it('refuses what takes too long, and works on', async () => {
  const path = await packOf({ 'a.yml': rule('A', 'EventID: 1') });
  const hurried = new ThreadRuleCompiler({ timeoutMs: 1 });
  await expect(hurried.read(path)).rejects.toBeInstanceOf(RulePackRefused);
  await expect(hurried.read(path)).rejects.toThrow('not compiled within 0.001 s');
  expect(await new ThreadRuleCompiler({}).read(path)).toMatchObject({ name: null });
});

it('refuses what takes too much memory, and works on', async () => {
  const compiler = new ThreadRuleCompiler({ memoryMb: 32 });
  const values = Array.from({ length: 20_000 }, (_, at) => `value number ${at}`).join(', ');
  const rules = Array.from({ length: 100 }, (_, at) => ({
    path: `${at}.yml`,
    text: rule(`R${at}`, `A|contains: [${values}]`),
  }));
  const files = gzipSync(JSON.stringify({ rules, licence: null }));
  const compiling = compiler.compile(files);
  await expect(compiling).rejects.toBeInstanceOf(RulePackRefused);
  await expect(compiling).rejects.toThrow('more than 32 MiB');
  expect(await compiler.read(await packOf({ 'a.yml': rule('A', 'EventID: 1') }))).toMatchObject({ name: null });
}, 60_000);

describeWithSharedData('the example of placeholders', () => {
  it('has a value for every name in the rules of SigmaHQ', async () => {
    const placeholdersFile = join(projectRoot(), 'config/placeholders.example.yaml');
    const compiler = new ThreadRuleCompiler({ placeholdersFile });
    const { files } = await compiler.read(sharedData('sigma-rules'));
    const { loaded, rejected } = await compiler.compile(files);
    expect(rejected).toEqual([]);
    expect(loaded).toBeGreaterThan(3000);
  }, 120_000);
});

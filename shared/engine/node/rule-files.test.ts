import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRuleFiles } from './rule-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-node-'));
  await mkdir(join(folder, 'rules', 'b'), { recursive: true });
  for (const name of ['rules/z.yml', 'rules/a.YAML', 'rules/b/c.yaml', 'rules/notes.md', 'one.txt']) {
    await writeFile(join(folder, name), name);
  }
});
afterAll(() => rm(folder, { recursive: true }));

describe('readRuleFiles', () => {
  it('walks folders in sorted order and takes files as they are', async () => {
    const files = await readRuleFiles([join(folder, 'one.txt'), join(folder, 'rules')]);
    expect(files.map(({ text }) => text)).toEqual(['one.txt', 'rules/a.YAML', 'rules/b/c.yaml', 'rules/z.yml']);
    expect(files[2]!.path).toBe(join(folder, 'rules', 'b', 'c.yaml'));
  });

  it('takes a file once that is named in several ways', async () => {
    const paths = [join(folder, 'rules', 'b'), join(folder, 'rules'), `${folder}/rules/../rules/z.yml`];
    const files = await readRuleFiles(paths);
    expect(files.map(({ text }) => text)).toEqual(['rules/b/c.yaml', 'rules/a.YAML', 'rules/z.yml']);
  });

  it('names the path that is not there', async () => {
    await expect(readRuleFiles([join(folder, 'missing')])).rejects.toThrow(/missing/);
  });

  it('names files as the folder was named', async () => {
    const named = async (path: string): Promise<string[]> => (await readRuleFiles([path])).map((file) => file.path);
    const [first] = await named(relative('.', join(folder, 'rules')));
    expect(first).toBe(relative('.', join(folder, 'rules', 'a.YAML')));
    expect(await named('./config/sigma/')).toEqual(await named('config/sigma'));
  });
});

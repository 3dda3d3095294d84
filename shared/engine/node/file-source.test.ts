import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileSource } from './file-source.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-node-'));
  await writeFile(join(folder, 'rules.yml'), 'rules/z.yml');
});
afterAll(() => rm(folder, { recursive: true }));

describe('fileSource', () => {
  it('reads a part of a file, and fewer bytes only at its end', async () => {
    const source = await fileSource(join(folder, 'rules.yml'));
    const into = new Uint8Array(5);
    expect([source.size, await source.read(0, into), new TextDecoder().decode(into)]).toEqual([11, 5, 'rules']);
    expect([await source.read(9, into), await source.read(11, into)]).toEqual([2, 0]);
    await source.close();
  });

  it('names the file that is not there', async () => {
    await expect(fileSource(join(folder, 'missing.evtx'))).rejects.toThrow(/missing\.evtx/);
  });
});

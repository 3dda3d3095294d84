import { mkdtempSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ScratchFolder } from './scratch-folder.ts';

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'svc-scratch-')), 'scratch');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const filesIn = async (): Promise<string[]> => (await readdir(folder, { recursive: true })).sort();

it('makes files and removes them', async () => {
  const scratch = new ScratchFolder(folder);
  const file = await scratch.create(3);
  await file.handle.write('abc');
  const before = await filesIn();
  await file.remove();
  expect(await filesIn()).toHaveLength(before.length - 1);
  await scratch.close();
  expect(await filesIn()).toEqual([]);
});

it('removes what a dead process left, and nothing of a living one', async () => {
  const living = new ScratchFolder(folder);
  const file = await living.create(0);
  await mkdir(join(folder, 'dead'));
  await writeFile(join(folder, 'dead', 'half'), 'x');
  await writeFile(join(folder, 'dead.lock'), JSON.stringify({ pid: 2 ** 22 + 1, started: '1', id: 'x' }));
  const before = await filesIn();
  const next = new ScratchFolder(folder);
  await next.prepare();
  const after = await filesIn();
  expect(before.filter((name) => !after.includes(name))).toEqual(['dead', 'dead.lock', 'dead/half']);
  expect(after).toContain(file.path.slice(folder.length + 1));
  await file.remove();
});

it('says so when the disk has no room', async () => {
  const scratch = new ScratchFolder(folder);
  await expect(scratch.create(2 ** 60)).rejects.toMatchObject({ code: 'low_space' });
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  expect(scratch.fault(full)).toMatchObject({ code: 'low_space', cause: full });
  expect(scratch.fault('other')).toBe('other');
});

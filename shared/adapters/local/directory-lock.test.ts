import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { lockDirectory } from './directory-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-lock-'));
const path = join(folder, 'lock');
beforeEach(() => rm(path, { force: true }));
afterAll(() => rm(folder, { recursive: true, force: true }));

it('keeps a second user out, also one of the same process, until it is released', async () => {
  const lock = await lockDirectory(path);
  await expect(lockDirectory(path)).rejects.toThrow(`Another process (${process.pid}) uses this data directory`);
  await lock.release();
  expect(existsSync(path)).toBe(false);
  await (await lockDirectory(path)).release();
});

it.each([
  ['a process that is no more', { pid: spawnSync('true').pid, started: null, id: 'x' }],
  ['an earlier process of the same number', { pid: process.ppid, started: '1', id: 'x' }],
  ['this process before it was started again', { pid: process.pid, started: null, id: 'x' }],
])('takes over the lock of %s', async (_who, holder) => {
  writeFileSync(path, JSON.stringify(holder));
  const lock = await lockDirectory(path);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
  await lock.release();
});

it('takes over a lock that was being written when the machine went down', async () => {
  writeFileSync(path, '');
  await (await lockDirectory(path)).release();
});

it('does not take the lock of a process that is alive', async () => {
  writeFileSync(path, JSON.stringify({ pid: process.ppid, started: null, id: 'x' }));
  await expect(lockDirectory(path)).rejects.toThrow('uses this data directory');
  expect(existsSync(path)).toBe(true);
});

it('goes to one of many that find it stale', async () => {
  writeFileSync(path, JSON.stringify({ pid: process.pid, started: null, id: 'gone' }));
  const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(path)));
  const taken = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(taken).toHaveLength(1);
  await taken[0]?.release();
});

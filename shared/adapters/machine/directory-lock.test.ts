import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { lockDirectory } from './directory-lock.ts';
import { fileId, type LockHolder, thisProcess } from './lock-holder.ts';
import { listenAt } from './lock-socket.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-lock-'));
const path = join(folder, 'lock');
beforeEach(() => rm(path, { recursive: true, force: true }));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The process's number as the lock tells it; a lock has one holder. */
function holders(): LockHolder[] {
  const records = readdirSync(path).filter((name) => !name.endsWith('.socket'));
  return records.map((name) => JSON.parse(readFileSync(join(path, name), 'utf8')) as LockHolder);
}

/** Puts the lock of somebody else there. */
async function leave(holder: Partial<LockHolder> | string): Promise<string> {
  await mkdir(path);
  const text = typeof holder === 'string' ? holder : JSON.stringify({ ...thisProcess(null), ...holder });
  writeFileSync(join(path, 'other'), text);
  return join(path, 'other');
}

it('keeps a second user out, also one of the same process, until it is released', async () => {
  const lock = await lockDirectory(path);
  await expect(lockDirectory(path)).rejects.toThrow(
    `Another process (${process.pid}) uses this data directory; stop it first. Its lock is ${path}, taken on ${hostname()}`,
  );
  await lock.release();
  expect(readdirSync(folder)).toEqual([]);
  await (await lockDirectory(path)).release();
});

it('keeps others out also where the file system has no sockets', async () => {
  await leave({});
  await expect(lockDirectory(path)).rejects.toThrow('uses this data directory');
  expect(existsSync(path)).toBe(true);
});

it.each([
  ['a process that is no more', { pid: spawnSync('true').pid, started: null }],
  ['an earlier process of the same number', { pid: process.ppid, started: '1' }],
  ['this process before it was started again', { started: '1' }],
])('takes over at once the lock of %s', async (_who, holder) => {
  await leave(holder);
  const lock = await lockDirectory(path, { patienceMs: 0 });
  expect(holders()).toMatchObject([{ pid: process.pid }]);
  await lock.release();
});

it('leaves the lock to a process that it knows nothing of, without patience', async () => {
  await leave({ boot: 'another', pid: 2 ** 22 + 1 });
  await expect(lockDirectory(path, { patienceMs: 0 })).rejects.toThrow('uses this data directory');
});

describe('with a holder on another host', () => {
  it.each<[string, Partial<LockHolder> | string]>([
    ['one that is silent', { boot: 'another', host: 'elsewhere' }],
    ['one that was being written when the machine went down', ''],
    ['one without the id of its kernel', { boot: null }],
    ['one in containers without sockets', { namespace: 'another' }],
  ])('takes over %s, and says that it waits', async (_what, holder) => {
    await leave(holder);
    const said: string[] = [];
    const lock = await lockDirectory(path, { patienceMs: 1, onWait: (sentence) => said.push(sentence) });
    expect(said).toEqual([expect.stringMatching(/may use this data directory: waiting 1 s for a sign of life/)]);
    expect(holders()).toMatchObject([{ pid: process.pid }]);
    await lock.release();
  });

  it('does not when that shows that it lives', async () => {
    const record = await leave({ boot: 'another' });
    let beat = 0;
    const living = setInterval(() => {
      writeFileSync(record, JSON.stringify({ ...thisProcess(null), boot: 'another', beat: (beat += 1) }));
    }, 20);
    try {
      const locking = lockDirectory(path, { patienceMs: 60_000, onWait: () => undefined });
      await expect(locking).rejects.toThrow('uses this data directory');
    } finally {
      clearInterval(living);
    }
  });

  it('begins at once when that releases it meanwhile', async () => {
    const record = await leave({ boot: 'another' });
    const onWait = (): void => void rm(record);
    await (await lockDirectory(path, { patienceMs: 60_000, onWait })).release();
  });
});

it('shows that it lives, and learns that its lock was taken away', async () => {
  const lost: Error[] = [];
  const lock = await lockDirectory(path, { onLost: (error) => lost.push(error) });
  const text = (): string => JSON.stringify(holders());
  const before = text();
  await expect.poll(text).not.toBe(before);
  const record = join(
    path,
    readdirSync(path).find((name) => !name.endsWith('.socket'))!,
  );
  await rm(path, { recursive: true });
  await expect
    .poll(() => lost)
    .toEqual([new Error(`Another process has taken over this data directory: ${record} is gone`)]);
  await lock.release();
});

it('goes to one of many that find it stale', async () => {
  for (let round = 0; round < 10; round += 1) {
    await leave({ started: '1' });
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(path)));
    const taken = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(taken).toHaveLength(1);
    await taken[0]?.release();
    expect(readdirSync(folder)).toEqual([]);
  }
});

it('goes to the next at once where another process still has the socket of one that was killed', async () => {
  const { pid } = spawnSync('true');
  const record = await leave('');
  const server = await listenAt(`${record}.socket`);
  const holder = { ...thisProcess(await fileId(`${record}.socket`)), pid };
  writeFileSync(record, JSON.stringify(holder));
  await (await lockDirectory(path)).release();
  server?.close();
});

describe('a lock of an earlier version, which is a file', () => {
  it.each([
    ['a process that is no more', JSON.stringify({ pid: spawnSync('true').pid, started: null, id: 'x' })],
    ['nobody', ''],
  ])('is taken over from %s', async (_who, text) => {
    writeFileSync(path, text);
    await (await lockDirectory(path)).release();
  });

  it('is not while its process is alive', async () => {
    writeFileSync(path, JSON.stringify({ pid: process.ppid, started: null, id: 'x' }));
    await expect(lockDirectory(path)).rejects.toThrow(`Another process (${process.ppid}) uses this data directory`);
    expect(existsSync(path)).toBe(true);
  });
});

import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tlshOf } from '@svc/engine';
import { fileSource } from '@svc/engine/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ThreadDigests } from './thread-digests.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-digests-'));
});
afterAll(() => rm(folder, { recursive: true }));

const digests = new ThreadDigests();
const { signal } = new AbortController();

it.each([100_000, 9_000_000])('digests a file of %d bytes', async (length) => {
  const path = join(folder, String(length));
  await writeFile(
    path,
    Uint8Array.from({ length }, (_, i) => (i * i) >> 4),
  );
  const source = await fileSource(path);
  const digest = await tlshOf(source);
  await source.close();
  expect(digest).toMatch(/^T1[0-9A-F]{70}$/);
  expect(await digests.ofFile(path, signal)).toBe(digest);
});

it('stops when it is told to, and says why it cannot', async () => {
  const path = join(folder, 'large');
  await writeFile(path, '');
  await truncate(path, 2 ** 31);
  const stop = new AbortController();
  const digest = digests.ofFile(path, stop.signal);
  setTimeout(() => stop.abort(new Error('stopped')), 50);
  await expect(digest).rejects.toThrow('stopped');
  await expect(digests.ofFile(join(folder, 'none'), signal)).rejects.toThrow('ENOENT');
});

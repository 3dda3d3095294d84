import { mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { objectStoreContract } from '../contract/object-store.ts';
import { brokenContent, contentOf } from '../testing/content.ts';
import { LocalObjectStore } from './object-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-objects-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

objectStoreContract(() => new LocalObjectStore(folder));

it('leaves no half upload, and removes those of a dead process', async () => {
  const own = join(folder, 'own');
  await mkdir(join(own, 'incoming'), { recursive: true });
  writeFileSync(join(own, 'incoming', 'old'), 'x');
  writeFileSync(join(own, 'incoming', 'new'), 'x');
  utimesSync(join(own, 'incoming', 'old'), 0, 0);
  const store = new LocalObjectStore(own);
  // Many at once, as one that breaks off while its file is still being opened is the one that might stay.
  await Promise.all(
    Array.from({ length: 100 }, () =>
      expect(store.create('.bin', brokenContent('too large'))).rejects.toThrow('too large'),
    ),
  );
  expect(await readdir(join(own, 'incoming'))).toEqual(['new']);
  expect(await readdir(own)).toEqual(['incoming']);
});

it('takes no outputs where less is free than is kept, while uploads are admitted for themselves', async () => {
  const store = new LocalObjectStore(join(folder, 'full'), Number.MAX_SAFE_INTEGER);
  await expect(store.create('.gz', contentOf('x'), 'outputs')).rejects.toMatchObject({ code: 'low_space' });
  expect(await store.create('.bin', contentOf('x'))).toMatchObject({ sizeBytes: 1 });
});

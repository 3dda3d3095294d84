import { mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { objectListingContract } from '../contract/object-listing.ts';
import { LocalObjectListing } from './object-listing.ts';
import { LocalObjectStore } from './object-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-listing-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

let made = 0;
objectListingContract(async () => {
  const own = join(folder, String((made += 1)));
  return { objects: new LocalObjectStore(own), listing: new LocalObjectListing(own) };
});

it('tells of a store that is not there yet, and leaves out what bears no key', async () => {
  const own = join(folder, 'strange');
  const listing = new LocalObjectListing(own);
  expect(await listing.page(null)).toEqual({ objects: [], next: null });
  expect(await listing.removeUnfinished(new Date())).toBe(0);
  const { free, total } = await listing.room();
  expect(free).toBeLessThanOrEqual(total);
  await mkdir(join(own, 'ab'), { recursive: true });
  for (const name of ['README', `${'cd'.repeat(16)}.bin`, `ab${'0'.repeat(30)}`])
    writeFileSync(join(own, 'ab', name), 'x');
  expect(await listing.page(null)).toEqual({ objects: [], next: null });
});

it('goes through a large store by pages of whole folders', async () => {
  const own = join(folder, 'large');
  for (const part of ['00', '0a', 'ff']) {
    await mkdir(join(own, part), { recursive: true });
    for (let at = 0; at < 700; at += 1)
      writeFileSync(join(own, part, `${part}${String(at).padStart(30, '0')}.bin`), '');
  }
  const listing = new LocalObjectListing(own);
  const first = await listing.page(null);
  expect(first.objects).toHaveLength(1400);
  const second = await listing.page(first.next);
  expect(second.objects).toHaveLength(700);
  expect(second.next === null || (await listing.page(second.next)).next === null).toBe(true);
});

it('removes halves that have not grown for an hour', async () => {
  const own = join(folder, 'halves');
  const incoming = join(own, 'incoming');
  await mkdir(incoming, { recursive: true });
  for (const name of ['old', 'new']) writeFileSync(join(incoming, name), 'x');
  utimesSync(join(incoming, 'old'), 0, 0);
  const listing = new LocalObjectListing(own);
  expect(await listing.removeUnfinished(new Date())).toBe(1);
  expect(await readdir(incoming)).toEqual(['new']);
  expect(await listing.removeUnfinished(new Date(Date.now() + 3_700_000))).toBe(1);
});

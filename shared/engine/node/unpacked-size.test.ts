import { zipSync } from 'fflate';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { isLargerUnpacked } from './unpacked-size.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-unpacked-'));
afterAll(() => rmSync(folder, { recursive: true }));

const log = Buffer.from(randomBytes(75_000).toString('base64'));
const half = log.subarray(0, 50_000);

it.each([
  ['plain', log],
  ['gzip', gzipSync(log)],
  ['gzip of two members', Buffer.concat([gzipSync(half), gzipSync(half)])],
  ['zip of two logs', zipSync({ 'a.log': half, 'b.log': half })],
])('counts the bytes of the log itself: %s', async (_, bytes) => {
  const path = join(folder, 'log');
  writeFileSync(path, bytes);
  expect([await isLargerUnpacked(path, 99_999), await isLargerUnpacked(path, 100_000)]).toEqual([true, false]);
});

it('counts what can be read of one that is cut', async () => {
  const path = join(folder, 'cut');
  writeFileSync(path, gzipSync(log).subarray(0, 60));
  expect(await isLargerUnpacked(path, 100_000)).toBe(false);
});

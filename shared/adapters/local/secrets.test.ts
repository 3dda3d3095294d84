import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, expect, it } from 'vitest';
import type { AppError } from '@svc/domain';
import { Argon2Hasher } from './argon2-hasher.ts';
import { JoseSessions } from './jose-sessions.ts';
import { secretKeyIn } from './secret-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-secrets-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

it('makes a key once, for its own eyes', () => {
  const path = join(folder, 'data', 'secret.key');
  const key = secretKeyIn(path);
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(secretKeyIn(path)).toBe(key);
  writeFileSync(path, 'short');
  expect(() => secretKeyIn(path)).toThrow('does not hold 64 hex digits');
  expect(readFileSync(path, 'utf8')).toBe('short');
});

it('hashes with Argon2id, 46 MiB and one pass, and takes the costlier hashes of before', async () => {
  const hasher = new Argon2Hasher();
  const hash = await hasher.hash('correct horse');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/);
  expect(await hasher.verify(hash, 'correct horse')).toBe(true);
  expect(await hasher.verify(hash, 'Correct horse')).toBe(false);
  expect(await hasher.verify(null, 'no account has this password')).toBe(false);
  const before = '$argon2id$v=19$m=65536,t=3,p=1$ZCP2Dj0sL20RPPjhYBsItQ$lBoeGYNLKDNKwo2q7odzNdJpr/sz1GuJZO1SiC9JPeg';
  expect(await hasher.verify(before, 'correct horse')).toBe(true);
});

it('refuses guesses of strangers when too many wait, and no one who is known', async () => {
  const hasher = new Argon2Hasher();
  const hash = await hasher.hash('correct horse');
  const guess = (_: unknown, at: number) => hasher.verify(at % 2 ? hash : null, 'wrong', 'stranger');
  const guesses = Promise.allSettled(Array.from({ length: 40 }, guess));
  const known = await hasher.verify(hash, 'correct horse', 'known');
  const ends = await guesses;
  const refused = ends.filter((end) => end.status === 'rejected' && (end.reason as AppError).code === 'busy');
  expect([known, refused.length]).toEqual([true, 31]);
});

it('signs sessions for a day, and takes no others', async () => {
  const sessions = new JoseSessions('one key of many characters');
  const claims = { accountId: 'a-1', passwordVersion: 'pv', secret: 's-1' };
  const token = await sessions.issue(claims);
  expect(await sessions.verify(token)).toEqual(claims);
  expect(await new JoseSessions('another key').verify(token)).toBeNull();
  const payload = JSON.parse(atob(token.split('.')[1] ?? '')) as { exp: number; iat: number };
  expect(payload.exp - payload.iat).toBe(86_400);
  const expired = new SignJWT({ pv: 'pv', sid: 's-1' })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('a-1')
    .setExpirationTime(1);
  expect(await sessions.verify(await expired.sign(new TextEncoder().encode('one key of many characters')))).toBeNull();
  const without = new SignJWT({ pv: 'pv' }).setProtectedHeader({ alg: 'HS256' }).setSubject('a-1');
  expect(await sessions.verify(await without.sign(new TextEncoder().encode('one key of many characters')))).toBeNull();
});

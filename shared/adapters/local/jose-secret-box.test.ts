import type { Log, LogFields } from '@svc/application/ports/log.ts';
import { base64url, decodeProtectedHeader } from 'jose';
import { createHash } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { JoseSecretBox } from './jose-secret-box.ts';

const lines: string[] = [];
const write = (message: string, fields?: LogFields): void => void lines.push(`${message} ${JSON.stringify(fields)}`);
const log: Log = { debug: write, info: write, warn: write, error: write };
const place = 'ai_provider:7/api_token';
const box = new JoseSecretBox('the first passphrase', [], log);

beforeEach(() => void (lines.length = 0));

it('opens what it has sealed, which nobody else can read', async () => {
  for (const secret of ['sk-live-4711', '', 'Schlüssel 🔑', 'x'.repeat(10_000)]) {
    const sealed = await box.seal(secret, place);
    if (secret) expect(Buffer.from(sealed).includes(secret)).toBe(false);
    expect(await box.open(sealed, place)).toBe(secret);
  }
  expect(lines).toEqual([]);
});

it('seals by AES-256-GCM under the SHA-256 of its passphrase, differently each time', async () => {
  const [one, other] = [await box.seal('s', place), await box.seal('s', place)];
  expect(one).not.toBe(other);
  const key = createHash('sha256').update('the first passphrase').digest();
  const kid = createHash('sha256').update(key).digest('hex').slice(0, 16);
  expect(decodeProtectedHeader(one)).toEqual({ alg: 'dir', enc: 'A256GCM', kid, place });
});

it('opens nothing elsewhere than where it was sealed for', async () => {
  const sealed = await box.seal('s3cret', place);
  expect(await box.open(sealed, 'ai_provider:8/api_token')).toBeNull();
  expect(lines).toEqual(['a stored secret cannot be opened and counts as absent {"place":"ai_provider:8/api_token"}']);
});

it('opens nothing that was altered', async () => {
  const sealed = await box.seal('s3cret', place);
  const parts = sealed.split('.');
  const moved = { ...decodeProtectedHeader(sealed), place: 'rule:1/secret' };
  const altered = [
    ...[2, 3, 4].map((at) => parts.with(at, flipped(parts[at]!)).join('.')),
    parts.with(0, base64url.encode(JSON.stringify(moved))).join('.'),
    parts.slice(0, 4).join('.'),
    `${sealed}.x`,
    sealed.slice(0, -3),
    '',
    's3cret',
    '{"alg":"none"}',
  ];
  for (const each of altered) {
    expect(await box.open(each, place)).toBeNull();
    expect(await box.open(each, 'rule:1/secret')).toBeNull();
  }
  expect(lines).toHaveLength(altered.length * 2);
  expect(lines.join()).not.toContain('s3cret');
});

it('opens with an older key, and seals with the new one', async () => {
  const sealed = await box.seal('kept', place);
  const rotated = new JoseSecretBox('the second passphrase', ['the first passphrase'], log);
  expect(await rotated.open(sealed, place)).toBe('kept');
  const again = await rotated.seal('kept', place);
  const finished = new JoseSecretBox('the second passphrase', [], log);
  expect(await finished.open(again, place)).toBe('kept');
  expect(lines).toEqual([]);
  expect(await finished.open(sealed, place)).toBeNull();
  expect(await box.open(again, place)).toBeNull();
  expect(lines).toHaveLength(2);
});

function flipped(part: string): string {
  const bytes = base64url.decode(part);
  bytes[0]! ^= 1;
  return base64url.encode(bytes);
}

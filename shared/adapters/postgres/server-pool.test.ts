import { Client } from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { iamDatabasePasswords } from '../aws/iam-database-passwords.ts';
import { connectionTo } from './server-pool.ts';

/** What pg makes of a URL. */
function tls(query: string): unknown {
  const client = new Client(connectionTo(`postgres://svc:secret@127.0.0.1:1/svc${query}`));
  return (client as unknown as { ssl: unknown }).ssl;
}

it('takes sslmode as libpq does', () => {
  expect(tls('')).toBe(false);
  expect(tls('?sslmode=disable')).toBe(false);
  expect(tls('?sslmode=require')).toEqual({ rejectUnauthorized: false });
  expect(tls('?sslmode=verify-full')).toEqual({});
});

/** What pg would send as the password. */
async function password(url: string): Promise<unknown> {
  const { password: made } = new Client(connectionTo(url, iamDatabasePasswords)) as unknown as { password: unknown };
  return typeof made === 'function' ? (made() as Promise<string>) : made;
}

afterEach(() => vi.unstubAllEnvs());

it('signs a token for each connection by IAM, but not in place of a password', async () => {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  const token = String(await password('postgres://app@proxy.example:6543/svc?sslmode=verify-full'));
  const { searchParams, host } = new URL(`https://${token}`);
  expect(host).toBe('proxy.example:6543');
  expect(searchParams.get('Action')).toBe('connect');
  expect(searchParams.get('DBUser')).toBe('app');
  expect(searchParams.get('X-Amz-Credential')).toMatch(/^AKIDEXAMPLE\/\d{8}\/eu-central-1\/rds-db\/aws4_request$/);
  expect(searchParams.get('X-Amz-Signature')).toMatch(/^[0-9a-f]{64}$/);
  expect(String(await password('postgres://app@proxy.example/svc'))).toContain('proxy.example:5432/');
  expect(await password('postgres://app:p%40ss@db.example/svc?sslmode=verify-full')).toBe('p@ss');
});

import { Client } from 'pg';
import { expect, it } from 'vitest';
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

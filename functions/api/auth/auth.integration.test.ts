import { usePorts } from '@svc/adapters/compose.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { bodyOf, httpEvent, jsonPost, refusal } from '../../../test/support/http-events.ts';
import { password, signIn } from '../../../test/support/sessions.ts';

const test = await openTestPorts({
  deployment: { http: { host: '127.0.0.1', port: 0, secureCookies: true, logRequests: false } },
});
usePorts(test.ports);
const { handler } = await import('./index.ts');

afterAll(() => test.close());
beforeEach(() => test.reset());

const origin = { origin: 'https://svc.example.org' };
const credentials = { username: 'user@example.org', password };

describe('signing in', () => {
  it('sets a session cookie that opens the account', async () => {
    await signIn(test.ports, 'user');
    const result = await handler(jsonPost('/auth/cookie/login', { ...credentials, username: 'USER@example.org ' }));
    expect(result.statusCode).toBe(204);
    expect(result.body).toBeUndefined();
    const [cookie, bound, ...more] = result.cookies ?? [];
    expect(more).toEqual([]);
    expect(cookie).toMatch(/^svc_auth=[^;]+; HttpOnly; SameSite=Lax; Path=\/; Max-Age=86400; Secure$/);
    expect(bound).toMatch(/^__Host-svc_bound=[\w-]{43}; HttpOnly; SameSite=Lax; Path=\/; Max-Age=86400; Secure$/);
    const me = await handler(httpEvent('GET', '/api/users/me', { cookies: [cookie!.split(';')[0]!] }));
    expect(bodyOf(me)).toMatchObject({ email: 'user@example.org', role: 'user' });
  });

  it('is told of by the session, which a visitor may ask for too', async () => {
    const asked = (cookies: string[]) => handler(httpEvent('GET', '/api/ui/session', { cookies }));
    const visitor = await asked([]);
    expect([visitor.statusCode, bodyOf(visitor)]).toEqual([200, { account: null }]);
    const account = await asked([await signIn(test.ports, 'user')]);
    expect(bodyOf(account)).toMatchObject({ account: { email: 'user@example.org', role: 'user' } });
  });

  it.each([
    { ...credentials, password: 'wrong' },
    { ...credentials, username: 'nobody@example.org' },
  ])('refuses %j', async (wrong) => {
    await signIn(test.ports, 'user');
    const result = await handler(jsonPost('/auth/cookie/login', wrong));
    expect(refusal(result)).toEqual([400, 'bad_credentials']);
    expect(result.cookies ?? []).toEqual([]);
  });

  it('is refused to other sites, but not to clients that name none', async () => {
    const cookies = [await signIn(test.ports, 'user')];
    const from = (headers: Record<string, string>) =>
      handler(jsonPost('/auth/cookie/login', credentials, { headers, cookies }));
    expect(refusal(await from({ origin: 'https://evil.example' }))).toEqual([403, 'csrf']);
    expect(refusal(await from({ referer: 'https://evil.example/' }))).toEqual([403, 'csrf']);
    expect((await from(origin)).statusCode).toBe(204);
    expect((await from({})).statusCode).toBe(204);
  });
});

describe('signing out', () => {
  it('clears the cookie, for anybody', async () => {
    const cookies = [await signIn(test.ports, 'user')];
    for (const sent of [{ cookies }, {}]) {
      const result = await handler(httpEvent('POST', '/auth/cookie/logout', sent));
      expect(result.statusCode).toBe(204);
      const ended = 'HttpOnly; SameSite=Lax; Path=/; Max-Age=0; Secure';
      expect(result.cookies).toEqual([`svc_auth=; ${ended}`, `__Host-svc_bound=; ${ended}`]);
    }
  });
});

import { usePorts } from '@svc/adapters/compose.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Session } from '@svc/contracts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { bodyOf, httpEvent, jsonPost, refusal } from '../../test/support/http-events.ts';
import { password, signIn } from '../../test/support/sessions.ts';

const test = await openTestPorts({
  deployment: { http: { host: '127.0.0.1', port: 0, secureCookies: true, logRequests: false } },
});
usePorts(test.ports);
const { handler } = await import('./auth.ts');

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
    expect([visitor.statusCode, bodyOf(visitor)]).toEqual([200, { account: null, banner: null }]);
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

  it('ends the session for every copy of the cookie, and no other session', async () => {
    const [copied, other] = [await signIn(test.ports, 'user'), await signedInAgain('Firefox/150.0 (Windows)')];
    await handler(httpEvent('POST', '/auth/cookie/logout', { cookies: [copied] }));
    expect([await seen(copied), await seen(other)]).toEqual([401, 200]);
  });
});

const seen = async (cookie: string): Promise<number | undefined> =>
  (await handler(httpEvent('GET', '/api/users/me', { cookies: [cookie] }))).statusCode;

async function signedInAgain(userAgent: string, ip = '2001:db8:1:2::7'): Promise<string> {
  const event = jsonPost('/auth/cookie/login', credentials, { headers: { 'user-agent': userAgent } });
  event.requestContext.http.sourceIp = ip;
  return (await handler(event)).cookies![0]!.split(';')[0]!;
}

const send = (method: 'GET' | 'POST' | 'DELETE', path: string, cookie: string, body: object = {}) =>
  handler(
    httpEvent(method, path, {
      cookies: [cookie],
      headers: { ...origin, 'content-type': 'application/json' },
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    }),
  );
const listed = async (cookie: string): Promise<Session[]> =>
  (bodyOf(await send('GET', '/api/users/me/sessions', cookie)) as { sessions: Session[] }).sessions;

describe('sessions', () => {
  it('are listed with program and network, the last used first', async () => {
    const own = await signIn(test.ports, 'user');
    test.advance(60);
    await signedInAgain('Mozilla/5.0 (Windows NT 10.0; rv:150.0) Gecko/20100101 Firefox/150.0');
    await signIn(test.ports, 'admin');
    expect(await listed(own)).toMatchObject([
      { client: 'Firefox on Windows', network: '2001:db8:1::/48', is_current: false },
      { client: 'Unknown program', network: '192.0.2.0/24', is_current: true },
    ]);
    test.advance(600);
    await seen(own);
    const [first] = await listed(own);
    expect(first).toMatchObject({ is_current: true });
    expect(Date.parse(first!.last_used_at) - Date.parse(first!.created_at)).toBeGreaterThanOrEqual(660_000);
    expect(Date.parse(first!.expires_at) - Date.parse(first!.created_at)).toBe(86_400_000);
  });

  it('end one by one or all others at once, and only one’s own', async () => {
    const own = await signIn(test.ports, 'user');
    const stranger = await signIn(test.ports, 'member');
    const [one, two] = [await signedInAgain('curl/8'), await signedInAgain('curl/8')];
    const [{ id }] = (await listed(one)).filter(({ is_current: isCurrent }) => isCurrent) as [Session];
    const end = (cookie: string) => send('DELETE', `/api/users/me/sessions/${id}`, cookie);
    expect(refusal(await end(stranger))).toEqual([404, 'not_found']);
    expect((await end(own)).statusCode).toBe(204);
    expect(refusal(await end(own))).toEqual([404, 'not_found']);
    expect([await seen(one), await seen(two), await seen(own)]).toEqual([401, 200, 200]);
    expect(bodyOf(await send('DELETE', '/api/users/me/sessions', own))).toEqual({ ended: 1 });
    expect([await seen(two), await seen(own), await seen(stranger)]).toEqual([401, 200, 200]);
  });

  it('say nothing that makes a token', async () => {
    const own = await signIn(test.ports, 'user');
    const { sid } = JSON.parse(atob(own.split('.')[1]!)) as { sid: string };
    expect(JSON.stringify(await listed(own))).not.toContain(sid);
  });

  it('from before sessions were stored are over', async () => {
    await signIn(test.ports, 'user');
    const { id } = (await test.ports.accounts.findByEmail('user@example.org'))!;
    const claims = { accountId: id, passwordVersion: 'x', secret: 'unknown' };
    expect(await seen(`svc_auth=${await test.ports.sessions.issue(claims)}`)).toBe(401);
  });
});

describe('the password of a session', () => {
  it('is asked for again 15 minutes after signing in, and then holds for another 15', async () => {
    const { handler: admin } = await import('./admin.ts');
    const cookie = await signIn(test.ports, 'admin');
    const create = async () => {
      const body = JSON.stringify({ email: `${randomUUID()}@example.org`, password, role: 'user' });
      const headers = { ...origin, 'content-type': 'application/json' };
      return refusal(await admin(httpEvent('POST', '/admin/users', { cookies: [cookie], headers, body })));
    };
    expect(await create()).toEqual([201, undefined]);
    test.advance(900);
    expect(await create()).toEqual([403, 'confirm_password']);
    const confirm = (given: string) => send('POST', '/auth/confirm-password', cookie, { password: given });
    expect(refusal(await confirm('wrong'))).toEqual([400, 'bad_password']);
    expect(await create()).toEqual([403, 'confirm_password']);
    expect((await confirm(password)).statusCode).toBe(204);
    expect(await create()).toEqual([201, undefined]);
  });
});

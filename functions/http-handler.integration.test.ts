import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import { usePorts } from '@svc/adapters/compose.ts';
import { currentLogFields, type Log } from '@svc/application/ports/log.ts';
import { createApiToken } from '@svc/application/admin/create-api-token.ts';
import { taxiiType, type Actor, type Role, type Scope } from '@svc/domain';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allAreas } from '../test/support/all-areas.ts';
import { bodyOf, httpEvent, jsonPost, refusal, type Sent } from '../test/support/http-events.ts';
import { signIn } from '../test/support/sessions.ts';
import type { HttpResult } from './http-event.ts';

const test = await openTestPorts({
  deployment: { http: { host: '127.0.0.1', port: 0, secureCookies: true, logRequests: true } },
});
const lines: { level: string; message: string; fields: Record<string, unknown> }[] = [];
const record =
  (level: string) =>
  (message: string, fields: Readonly<Record<string, unknown>> = {}): void =>
    void lines.push({ level, message, fields: { ...currentLogFields(), ...fields } });
const log: Log = { debug: record('debug'), info: record('info'), warn: record('warn'), error: record('error') };
const ports = { ...test.ports, log };
usePorts(ports);
const { handler: auth } = await import('./api/auth.ts');
const jobs = await allAreas();
const { handler: submissions } = await import('./api/submissions.ts');
const { handler: system } = await import('./api/system.ts');

afterAll(() => test.close());
beforeEach(async () => {
  await test.reset();
  lines.length = 0;
});

const signedIn = (role: Role): Promise<string> => signIn(ports, role);
const header = (result: HttpResult, name: string): unknown => result.headers?.[name];

const cancel = async (headers: Record<string, string>, role: Role = 'user') =>
  refusal(await jobs(httpEvent('POST', '/jobs/1/cancel', { headers, cookies: [await signedIn(role)] })));

const wrongLogin = { username: 'nobody@example.org', password: 'wrong password' };
const login = async (body: string, type: string, sent: Sent = {}) =>
  refusal(await auth(httpEvent('POST', '/auth/cookie/login', { ...sent, body, headers: { 'content-type': type } })));

describe('every answer', () => {
  it('carries the security and caching headers', async () => {
    const result = await jobs(httpEvent('GET', '/jobs'));
    expect(result.statusCode).toBe(200);
    expect(result.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cache-control': 'no-store, private',
      vary: 'Cookie, Accept',
      'content-type': 'application/json',
    });
    const policy = String(header(result, 'content-security-policy'));
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe-eval');
    expect(policy.match(/unsafe-inline/g)).toHaveLength(1);
  });

  it('repeats a harmless request id and replaces any other', async () => {
    for (const id of ['trace-7_a.b', 'a b', 'x'.repeat(65), 'a\r\nb', '<script>', '']) {
      const result = await jobs(httpEvent('GET', '/jobs', { headers: { 'x-request-id': id } }));
      expect(header(result, 'x-request-id')).toMatch(id === 'trace-7_a.b' ? /^trace-7_a\.b$/ : /^[0-9a-f-]{36}$/);
    }
  });
});

describe('problems', () => {
  it('carry the request id and the same headers', async () => {
    const result = await jobs(httpEvent('GET', '/jobs/1', { headers: { 'x-request-id': 'r1' } }));
    expect(result.statusCode).toBe(404);
    expect(bodyOf(result)).toEqual({ detail: 'No such job', code: 'not_found', request_id: 'r1' });
    expect(header(result, 'cache-control')).toBe('no-store, private');
    expect(header(result, 'content-security-policy')).toBeDefined();
  });

  it.each(['/jobs/0', '/jobs/2147483648', '/jobs/-1', '/jobs/abc', '/jobs/1.5', '/jobs/findings/0/rule', '/nowhere'])(
    'GET %s is 404',
    async (path) => expect(refusal(await jobs(httpEvent('GET', path)))).toEqual([404, 'not_found']),
  );

  it('tells a wrong method from an unknown address', async () => {
    const result = await submissions(httpEvent('PUT', '/api/v1/jobs'));
    expect(refusal(result)).toEqual([405, 'method_not_allowed']);
    expect(header(result, 'allow')).toBe('GET, POST');
  });

  it('names the field of a wrong input', async () => {
    const missing = await submissions(httpEvent('GET', '/api/v1/jobs'));
    expect(bodyOf(missing)).toMatchObject({ code: 'bad_request', detail: 'ids is required' });
    const wrong = await submissions(httpEvent('GET', '/api/v1/jobs', { query: { ids: '1,x' } }));
    expect(wrong.statusCode).toBe(400);
    expect(bodyOf(wrong)).toMatchObject({ detail: 'ids: must be comma-separated positive integers' });
    const timeline = await jobs(httpEvent('GET', '/jobs/1/events-timeline', { query: { severity: 'high,odd' } }));
    expect(bodyOf(timeline)).toMatchObject({
      detail: 'severity: must be one of critical, high, medium, low, informational',
    });
  });

  it('says what is wrong with the fields together, and with lists in one of them', async () => {
    const cookies = [await signedIn('admin')];
    const headers = { origin: 'https://svc.example.org' };
    const detailOf = async (path: string, handler: typeof jobs, fields: unknown): Promise<unknown> =>
      (bodyOf(await handler(jsonPost(path, fields, { cookies, headers }))) as { detail: unknown }).detail;
    const either = 'give either job_ids or a search, by q or tags';
    expect(await detailOf('/api/v1/jobs/rerun', submissions, {})).toBe(either);
    const numbers = 'job_ids: must be the numbers of 1 to 100 jobs, as a list or with commas between them';
    for (const ids of [[], '', '1,x', [1, 'x'], 5.5, Array.from({ length: 101 }, (_, at) => at + 1)]) {
      expect(await detailOf('/jobs/bulk-delete', jobs, { job_ids: ids })).toBe(numbers);
    }
  });

  it('is 404 for a page that no list has, and forgives other nonsense', async () => {
    expect((await jobs(httpEvent('GET', '/jobs', { query: { page: '1000001' } }))).statusCode).toBe(404);
    expect(bodyOf(await jobs(httpEvent('GET', '/jobs', { query: { page: 'x', per: '7' } })))).toMatchObject({
      page: 1,
      per: 20,
    });
  });

  it('takes what is left blank in a query as left out', async () => {
    const list = await jobs(httpEvent('GET', '/jobs', { query: { page: '', per: '', q: '', tags: '', view: '' } }));
    expect(bodyOf(list)).toMatchObject({ page: 1, per: 20 });
    const ids = await submissions(httpEvent('GET', '/api/v1/jobs', { query: { ids: '' } }));
    expect(bodyOf(ids)).toMatchObject({ detail: 'ids is required' });
    for (const query of [{ severity: '' }, { resolution: '', frm: '', to: '' }]) {
      const path = `/jobs/1/${'severity' in query ? 'findings' : 'events-timeline'}`;
      expect(refusal(await jobs(httpEvent('GET', path, { query })))).toEqual([404, 'not_found']);
    }
  });

  it('says nothing about what it did not expect, but logs it', async () => {
    const { httpHandler } = await import('./http-handler.ts');
    const { route } = await import('./route.ts');
    const broken = httpHandler([
      route('listWorkflows', () => Promise.reject(new Error('password=hunter2')), {}),
      // An answer that the contract does not know is the service's fault as well.
      route('getHome', async () => ({}) as never, {}),
    ]);
    for (const path of ['/api/v1/workflows', '/api/ui/home']) {
      lines.length = 0;
      const result = await broken(httpEvent('GET', path, { headers: { 'x-request-id': 'r2' } }));
      expect(refusal(result)).toEqual([500, 'internal']);
      expect(result.body).toContain('r2');
      expect(result.body).not.toMatch(/hunter2|workflows/);
      expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
        { message: 'request failed', fields: { request_id: 'r2', error: expect.any(Error) } },
      ]);
    }
  });
});

describe('sessions', () => {
  it('know their account', async () => {
    const cookies = [await signedIn('member')];
    const result = await auth(httpEvent('GET', '/api/users/me', { cookies: ['theme=dark', ...cookies] }));
    expect(bodyOf(result)).toMatchObject({ email: 'member@example.org', role: 'member', is_superuser: false });
  });

  it.each(['', 'svc_auth=', 'svc_auth=forged.token.here', 'other=1'])('are absent with %j', async (cookie) => {
    const event = httpEvent('GET', '/api/users/me', { cookies: [cookie] });
    expect(refusal(await auth(event))).toEqual([401, 'unauthenticated']);
  });

  it('do not help a wrong bearer token', async () => {
    const cookies = [await signedIn('admin')];
    for (const authorization of ['Bearer svc_wrong', 'bearer', 'Bearer ']) {
      const result = await auth(httpEvent('GET', '/api/users/me', { cookies, headers: { authorization } }));
      expect(refusal(result)).toEqual([401, 'bad_token']);
    }
    const basic = { cookies, headers: { authorization: 'Basic dTpw' } };
    expect((await auth(httpEvent('GET', '/api/users/me', basic))).statusCode).toBe(200);
  });
});

describe('csrf', () => {
  const passed = [404, 'not_found'];
  const refused = [403, 'csrf'];

  it.each([
    [{ origin: 'https://svc.example.org' }, passed],
    [{ origin: 'https://SVC.example.org' }, passed],
    [{ origin: 'https://svc.example.org:443' }, passed],
    [{ referer: 'https://svc.example.org/jobs/1?a=b,c' }, passed],
    [{}, refused],
    [{ origin: 'https://evil.example' }, refused],
    [{ origin: 'https://svc.example.org:8443' }, refused],
    [{ origin: 'https://svc.example.org.evil.example' }, refused],
    [{ origin: 'null' }, refused],
    [{ origin: 'https://evil.example', referer: 'https://svc.example.org/' }, refused],
    [{ origin: 'https://svc.example.org,https://evil.example' }, refused],
    [{ referer: 'https://svc.example.org/,https://evil.example/' }, refused],
    [{ origin: 'https://svc.example.org', host: 'svc.example.org,evil.example' }, refused],
    [{ origin: 'https://svc.example.org', host: '' }, refused],
    [{ origin: 'https://svc.example.org:80', host: 'svc.example.org:80' }, passed],
    [{ origin: 'http://svc.example.org', host: 'svc.example.org:80' }, passed],
    [{ origin: 'https://svc.example.org', host: 'svc.example.org:80' }, refused],
    [{ origin: 'http://svc.example.org:8000', host: 'svc.example.org' }, refused],
    [{ origin: 'http://[::1]:8000', host: '[::1]:8000' }, passed],
    [{ origin: 'http://127.0.0.1', host: 'localhost' }, refused],
    [{ origin: 'https://svc.example.org', host: 'SVC.EXAMPLE.ORG' }, passed],
    [{ referer: 'https://svc.example.org' }, passed],
    [{ referer: 'https://evil.example/?https://svc.example.org/' }, refused],
    [{ referer: 'https://svc.example.org@evil.example/' }, refused],
    [{ referer: '/jobs/1' }, refused],
    [{ referer: 'https://svc.example.org/, /jobs/1' }, refused],
    [{ origin: '', referer: 'https://svc.example.org/' }, refused],
    [{ origin: 'null', referer: 'https://svc.example.org/' }, refused],
    [{ origin: 'ftp://svc.example.org' }, refused],
    [{ origin: 'https://svc.example.org', host: 'svc.example.org, svc.example.org' }, refused],
    [{ origin: 'https://evil.example', host: 'svc.example.org@evil.example' }, refused],
    [{ origin: 'https://evil.example', host: 'evil.example/svc.example.org' }, refused],
    [{ authorization: 'Basic dTpw' }, refused],
    [{ authorization: 'Basic dTpw', origin: 'https://svc.example.org' }, passed],
    [{ authorization: 'Bearer svc_wrong' }, [401, 'bad_token']],
    [{ authorization: 'Bearer svc_wrong', origin: 'https://evil.example' }, [401, 'bad_token']],
  ])('%j', async (headers, expected) => expect(await cancel(headers)).toEqual(expected));

  it('tells administrators what was compared, and nobody else', async () => {
    const [admin, member] = [await signedIn('admin'), await signedIn('member')];
    const detail = async (cookie: string, headers: Record<string, string>): Promise<unknown> => {
      const event = httpEvent('POST', '/jobs/1/cancel', { headers, cookies: [cookie] });
      return (bodyOf(await jobs(event)) as { detail: string }).detail;
    };
    const rewritten = { origin: 'https://svc.example.org', host: '10.0.0.7:8000' };
    expect(await detail(admin, rewritten)).toBe(
      'CSRF validation failed: Origin is "https://svc.example.org", and Host is "10.0.0.7:8000"',
    );
    expect(await detail(admin, {})).toMatch(/: neither Origin nor Referer was sent, and Host is "svc\.example\.org"$/);
    expect(await detail(member, rewritten)).toBe('CSRF validation failed');
  });

  it('checks who signs in from a page, even without a cookie, and nobody who signs out', async () => {
    const signingIn = async (headers: Record<string, string>) =>
      refusal(await auth(jsonPost('/auth/cookie/login', wrongLogin, { headers })));
    const understood = [400, 'bad_credentials'];
    expect(await signingIn({})).toEqual(understood);
    expect(await signingIn({ origin: 'https://svc.example.org' })).toEqual(understood);
    expect(await signingIn({ referer: 'https://svc.example.org/login' })).toEqual(understood);
    expect(await signingIn({ origin: 'https://evil.example' })).toEqual(refused);
    expect(await signingIn({ referer: 'https://evil.example/' })).toEqual(refused);
    expect(await signingIn({ origin: 'null' })).toEqual(refused);
    const cookies = [await signedIn('user')];
    const out = httpEvent('POST', '/auth/cookie/logout', { cookies, headers: { origin: 'https://evil.example' } });
    expect((await auth(out)).statusCode).toBe(204);
  });

  it.each<[Record<string, string>, unknown]>([
    [{}, [401, 'unauthenticated']],
    [{ origin: 'https://evil.example' }, [401, 'unauthenticated']],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://svc.example.org' }, [401, 'unauthenticated']],
    [{ 'sec-fetch-site': 'none' }, [401, 'unauthenticated']],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, refused],
    [{ 'sec-fetch-site': 'cross-site' }, refused],
    // As no browser sends it; nothing is gained by guessing.
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://svc.example.org' }, refused],
    [{ 'sec-fetch-site': 'same-origin, cross-site', origin: 'https://svc.example.org' }, refused],
    // Another port of this machine, or a sibling domain.
    [{ 'sec-fetch-site': 'same-site', origin: 'https://svc.example.org:8443' }, refused],
    [{ 'sec-fetch-site': 'same-site', origin: 'null' }, refused],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://svc.example.org' }, [401, 'unauthenticated']],
    [{ 'sec-fetch-site': 'cross-site', authorization: 'Bearer svc_wrong' }, [401, 'bad_token']],
  ])('of visitors: %j', async (headers, expected) =>
    expect(refusal(await jobs(httpEvent('POST', '/jobs/1/cancel', { headers })))).toEqual(expected),
  );

  it('refuses cookies, too, that a page of another site has sent', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://svc.example.org' };
    const cookies = [await signedIn('admin')];
    const result = await jobs(httpEvent('POST', '/jobs/1/cancel', { headers, cookies }));
    expect(refusal(result)).toEqual(refused);
    expect(bodyOf(result)).toMatchObject({ detail: expect.stringMatching(/the browser says .* cross-site$/) });
  });

  it('leaves visitors and readers alone', async () => {
    expect(refusal(await jobs(httpEvent('POST', '/jobs/1/cancel')))).toEqual([401, 'unauthenticated']);
    const cookies = [await signedIn('user')];
    expect((await jobs(httpEvent('GET', '/jobs', { cookies }))).statusCode).toBe(200);
  });
});

describe('bodies', () => {
  const understood = [400, 'bad_credentials'];

  it('are JSON or forms alike', async () => {
    expect(await login(JSON.stringify(wrongLogin), 'application/json; charset=utf-8')).toEqual(understood);
    expect(await login(new URLSearchParams(wrongLogin).toString(), 'application/x-www-form-urlencoded')).toEqual(
      understood,
    );
    const boundary = '------------------------0123456789abcdef';
    const parts = Object.entries(wrongLogin).map(
      ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const multipart = `${parts.join('')}--${boundary}--\r\n`;
    expect(await login(multipart, `multipart/form-data; boundary=${boundary}`)).toEqual(understood);
  });

  it.each([
    ['{', 'application/json'],
    ['[]', 'application/json'],
    ['null', 'application/json'],
    ['{"username":7,"password":"x"}', 'application/json'],
    ['', 'application/json'],
    ['username=a', 'application/x-www-form-urlencoded'],
    ['username=a&password=b', 'text/plain'],
    ['--b\r\nnonsense', 'multipart/form-data; boundary=b'],
    ['nonsense', 'multipart/form-data'],
  ])('%j as %s is a bad request', async (body, type) => {
    expect(await login(body, type)).toEqual([400, 'bad_request']);
  });

  it('may not be larger than a mebibyte, declared or not', async () => {
    const large = JSON.stringify({ ...wrongLogin, padding: 'x'.repeat(1_048_576) });
    expect(refusal(await auth(jsonPost('/auth/cookie/login', JSON.parse(large))))).toEqual([413, 'too_large']);
    const declared = { headers: { 'content-length': '1048577' } };
    expect(refusal(await auth(jsonPost('/auth/cookie/login', wrongLogin, declared)))).toEqual([413, 'too_large']);
  });

  it('may be base64, as API Gateway sends what it takes for binary', async () => {
    const event = jsonPost('/auth/cookie/login', wrongLogin);
    const body = Buffer.from(event.body!).toString('base64');
    expect(refusal(await auth({ ...event, body, isBase64Encoded: true }))).toEqual(understood);
  });
});

describe('the request log', () => {
  it('has one line with operation, request id, actor, duration and outcome', async () => {
    const cookies = [await signedIn('user')];
    await jobs(
      httpEvent('GET', '/jobs/77', { cookies, headers: { 'x-request-id': 'r3' }, query: { secret: 's3cret' } }),
    );
    const [line, ...rest] = lines;
    expect(rest).toEqual([]);
    expect(line).toMatchObject({
      level: 'info',
      message: 'request',
      fields: { operation: 'getJob', request_id: 'r3', status: 404, duration_ms: expect.any(Number) },
    });
    expect(line?.fields['actor']).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.stringify(line)).not.toMatch(/s3cret|svc_auth/);
  });

  it('gives the request id to every line on the way', async () => {
    const { httpHandler } = await import('./http-handler.ts');
    const { route } = await import('./route.ts');
    const talkative = httpHandler([
      route(
        'listWorkflows',
        async () => {
          await ports.jobs.get(1);
          log.warn('from within');
          return { workflows: [] };
        },
        {},
      ),
    ]);
    const ids = ['r4', 'r5', 'r6'];
    await Promise.all(
      ids.map((id) => talkative(httpEvent('GET', '/api/v1/workflows', { headers: { 'x-request-id': id } }))),
    );
    for (const message of ['from within', 'request']) {
      const seen = lines.filter((line) => line.message === message).map(({ fields }) => fields['request_id']);
      expect(new Set(seen)).toEqual(new Set(ids));
    }
    expect(currentLogFields()).toEqual({});
  });

  it('never mentions payloads', async () => {
    await auth(jsonPost('/auth/cookie/login', { username: 'a@example.org', password: 'tops3cret' }));
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toMatch(/tops3cret|a@example/);
  });

  it('never mentions /health', async () => {
    expect((await system(httpEvent('GET', '/health'))).statusCode).toBe(200);
    expect(lines).toEqual([]);
  });
});

describe('the feed of indicators', () => {
  it('is not sent again to who has it, by its tag or its date', async () => {
    const cookies = [await signedIn('member')];
    const ask = (headers: Record<string, string> = {}) =>
      jobs(httpEvent('GET', '/intel/ioc-feed', { headers, cookies }));
    const first = await ask();
    expect(first.statusCode).toBe(200);
    const [tag, date] = ['etag', 'last-modified'].map((name) => String(header(first, name)));
    for (const known of [
      { 'if-none-match': tag! },
      { 'if-none-match': `"x", W/${tag}` },
      { 'if-modified-since': date! },
    ]) {
      const again = await ask(known);
      expect([again.statusCode, again.body ?? '', header(again, 'last-modified')]).toEqual([304, '', date]);
    }
    const before = new Date(Date.parse(date!) - 1000).toUTCString();
    // The tag alone counts where there is one.
    for (const other of [{ 'if-modified-since': before }, { 'if-none-match': '"x"', 'if-modified-since': date! }])
      expect((await ask(other)).statusCode).toBe(200);
  });
});

describe('the TAXII server', () => {
  const accept = taxiiType;
  const bearer = async (scopes: readonly Scope[] = ['taxii:read']): Promise<string> => {
    await signedIn('member');
    const { id, email, role } = (await ports.accounts.findByEmail('member@example.org'))!;
    const actor: Actor = { kind: 'account', userId: id, email, role, ip: '192.0.2.7' };
    const { token } = await createApiToken(ports, actor, { name: 'test', scopes: [...scopes], expires_in_days: 1 });
    return `Bearer ${token}`;
  };
  const ask = (
    path: string,
    headers: Record<string, string> = {},
    { method = 'GET', ...sent }: Sent & { method?: string } = {},
  ) => jobs(httpEvent(method, path, { ...sent, headers: { accept, ...headers } }));

  beforeEach(() => void Object.assign(ports.deployment, { taxii: true }));
  afterEach(() => void Object.assign(ports.deployment, { taxii: false }));

  it('is nowhere where it is not switched on', async () => {
    Object.assign(ports.deployment, { taxii: false });
    const authorization = await bearer();
    for (const path of ['/taxii2', '/taxii2/', '/taxii2/svc/', '/taxii2/svc/collections/live-iocs/objects/'])
      expect([path, ...refusal(await ask(path, { authorization }))]).toEqual([path, 404, 'not_found']);
  });

  it('says where its root is, by TLS wherever cookies are', async () => {
    const result = await ask('/taxii2/', { authorization: await bearer() });
    expect(header(result, 'content-type')).toBe(taxiiType);
    expect(bodyOf(result)).toMatchObject({ api_roots: ['https://svc.example.org/taxii2/svc/'] });
  });

  it('takes API tokens with its scope alone, and refuses in its own words', async () => {
    const cookies = [await signedIn('admin')];
    const visitor = await ask('/taxii2/svc/', {}, { cookies });
    expect(refusal(visitor)).toEqual([401, 'unauthenticated']);
    expect(visitor.headers).toMatchObject({ 'www-authenticate': 'Bearer', 'content-type': taxiiType });
    expect(bodyOf(visitor)).toMatchObject({ title: 'Unauthorized', http_status: '401' });
    const wrong = await ask('/taxii2/svc/', { authorization: 'Bearer nothing' });
    expect([...refusal(wrong), header(wrong, 'www-authenticate')]).toEqual([401, 'bad_token', 'Bearer']);
    const other = await ask('/taxii2/svc/', { authorization: await bearer(['ioc_feed:read']) }, { cookies });
    expect(refusal(other)).toEqual([403, 'missing_scope']);
  });

  it('ends its addresses with a slash, and is only read', async () => {
    const moved = await ask('/taxii2/svc/collections', {}, { query: { 'match[id]': 'a b' } });
    expect([moved.statusCode, header(moved, 'location')]).toEqual([308, '/taxii2/svc/collections/?match%5Bid%5D=a+b']);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const refused = await ask('/taxii2/svc/collections/live-iocs/objects/', {}, { method });
      expect([...refusal(refused), header(refused, 'allow')]).toEqual([405, 'method_not_allowed', 'GET']);
    }
    const authorization = await bearer();
    for (const path of ['/taxii2/other/', '/taxii2/svc/collections/none/', '/taxii2/svc/collections/live-iocs/none/'])
      expect([path, ...refusal(await ask(path, { authorization }))]).toEqual([path, 404, 'not_found']);
  });

  it.each([
    [taxiiType, 200],
    ['application/taxii+json', 200],
    ['application/taxii+json; version="2.1"', 200],
    ['text/html, */*;q=0.1', 200],
    ['application/*', 200],
    ['application/taxii+json;version=2.0', 406],
    ['application/json', 406],
    ['text/html, */*;q=0', 406],
  ])('answers who accepts %s with %i', async (sent, status) => {
    const result = await ask('/taxii2/svc/collections/', { authorization: await bearer(), accept: sent });
    expect([result.statusCode, header(result, 'content-type')]).toEqual([status, taxiiType]);
  });

  it.each([
    { limit: 'x' },
    { added_after: 'yesterday' },
    { added_after: '0000-01-01T00:00:00Z' },
    { next: 'x' },
    { next: 'MjAyNg' },
    { 'match[version]': 'newest' },
  ])('refuses %j', async (query) => {
    const asked = await ask(
      '/taxii2/svc/collections/live-iocs/manifest/',
      { authorization: await bearer() },
      { query },
    );
    expect(refusal(asked)).toEqual([400, 'bad_request']);
  });

  it('knows its collections by id and alias, and says what a page begins and ends with', async () => {
    const authorization = await bearer();
    for (const id of ['live-iocs', 'd5553fa8-67da-5fd8-8ac3-527ca159044e']) {
      const found = await ask(`/taxii2/svc/collections/${id}/`, { authorization });
      expect(bodyOf(found)).toMatchObject({
        id: 'd5553fa8-67da-5fd8-8ac3-527ca159044e',
        title: 'live-iocs',
        can_write: false,
      });
    }
    // Any clamped limit, and all that a time can be written with.
    const query = { limit: '9999', added_after: '2020-01-01T00:00:00.123456789+02:00' };
    const page = await ask('/taxii2/svc/collections/watched-iocs/objects/', { authorization }, { query });
    expect(bodyOf(page)).toMatchObject({ more: false, objects: [{ type: 'identity' }] });
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store, private',
      'x-taxii-date-added-first': '2024-01-01T00:00:00.000000Z',
      'x-taxii-date-added-last': '2024-01-01T00:00:00.000000Z',
    });
  });
});

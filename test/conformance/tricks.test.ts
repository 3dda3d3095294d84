import { operations, type JobDetail, type Operation, type SubmittedJob, type Workflow } from '@svc/contracts';
import { writeEvtx } from '@svc/engine/testing';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type Server } from '../support/server.ts';

const [email, password] = ['root@example.org', 'correct horse battery'];
const limits = ['UPLOAD', 'AUTHENTICATED_UPLOAD', 'PREVIEW', 'LOGIN', 'RESUBMIT', 'API_TOKEN'];
const event = { provider: 'x', eventId: 1, time: '2026-08-01T10:00:00Z', channel: 'x', computer: 'x', data: {} };
const log = Buffer.from(writeEvtx([event]));
const all = Object.values<Operation>(operations);

let server: Server;
let cookie: string;
let workflow: number;
beforeAll(async () => {
  const env = Object.fromEntries(limits.map((name) => [`${name}_RATE_LIMIT_PER_MINUTE`, '0']));
  server = await startServer({ env: { ...env, DEBUG: 'true', ADMIN_EMAIL: email, ADMIN_PASSWORD: password } });
  const body = new URLSearchParams({ username: email, password });
  const signedIn = await fetch(`${server.url}/auth/cookie/login`, { method: 'POST', body });
  cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
  const { workflows } = (await (await fetch(`${server.url}/api/v1/workflows`)).json()) as { workflows: Workflow[] };
  workflow = workflows.find((one) => one.is_default)!.id;
});
afterAll(async () => {
  await server?.stop();
  await server?.remove();
});

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** The bytes of a request as they are, which `fetch` would tidy; the status and body of the answer. */
function raw(target: string, { method = 'GET', headers = {}, body = '' }: Sent = {}): Promise<[number, string]> {
  const { host, hostname, port } = new URL(server.url);
  const fields = { host, accept: 'application/json', connection: 'close', ...headers };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body.length > 0 || method !== 'GET' ? `content-length: ${Buffer.byteLength(body)}\r\n` : '';
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}${length}\r\n`, 'latin1'));
      socket.write(body);
    });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
    socket.on('close', () => {
      const [head = '', ...rest] = Buffer.concat(chunks).toString().split('\r\n\r\n');
      resolve([Number(head.split(' ')[1]), rest.join('\r\n\r\n')]);
    });
  });
}

const asAdmin = (more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  cookie,
  origin: server.url,
  ...more,
});
const json = { 'content-type': 'application/json' };

describe('numbers in addresses', () => {
  const numbered = all.filter(({ method, path }) => method === 'GET' && path.includes('{id}'));
  it.each(['2147483648', '9007199254740993', '1'.repeat(400), '-1', '0', '1.5', 'NaN', '%00', '%EF%BC%91', "1'--"])(
    'that name nothing, like %s, are 404',
    async (id) => {
      for (const { path } of numbered) {
        expect([path, (await raw(path.replace('{id}', id), { headers: asAdmin() }))[0]]).toEqual([path, 404]);
      }
    },
  );

  it.each(['10000000', '1e7', '99999999999999999999'])('of pages like %s are 404', async (page) => {
    expect((await raw(`/jobs?page=${page}`))[0]).toBe(404);
  });
});

describe('paths', () => {
  it.each([
    '/../../../../etc/passwd',
    '/%2e%2e/%2e%2e/package.json',
    '/..%2f..%2fpackage.json',
    '/assets/../../server/main.mjs',
    '/assets/%5c..%5c..%5cserver%5cmain.mjs',
    '/%c0%ae%c0%ae/package.json',
    '//etc/passwd',
    '/\\etc\\passwd',
    'http://example.org/package.json',
    '/index.html%00.js',
  ])('lead out of nothing: %s', async (path) => {
    const [status, body] = await raw(path);
    expect(status).toBeLessThan(500);
    expect(body).not.toMatch(/root:|"workspaces"|createRequire/);
  });
});

describe('bodies', () => {
  const patch = (body: string | Buffer, headers: Readonly<Record<string, string>> = json) =>
    raw('/api/users/me', { method: 'PATCH', headers: asAdmin(headers), body });

  it.each([
    ['objects in objects', '{"display_name":'.repeat(60_000)],
    ['lists in lists', `{"display_name":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
    ['no object', '"text"'],
    ['half a word', '{"display_name":"\\u00'],
    ['NUL in text', '{"display_name":"a\\u0000b"}'],
  ])('of JSON with %s are refused', async (_what, body) => {
    const [status, answer] = await patch(body);
    expect([status, JSON.parse(answer)]).toEqual([400, expect.objectContaining({ code: 'bad_request' })]);
  });

  it('cannot reach a prototype', async () => {
    const body =
      '{"__proto__":{"role":"user","polluted":1},"constructor":{"prototype":{"polluted":1}},"display_name":"Root"}';
    expect((await patch(body))[0]).toBe(200);
    const form = '__proto__=x&__proto__[polluted]=1&constructor=y&display_name=Root';
    const [status, answer] = await patch(form, { 'content-type': 'application/x-www-form-urlencoded' });
    expect([status, JSON.parse(answer)]).toEqual([
      200,
      expect.objectContaining({ role: 'admin', display_name: 'Root' }),
    ]);
    expect(answer).not.toContain('polluted');
  });

  it.each([
    ['text/plain', '{"display_name":"x"}'],
    ['', '{"display_name":"x"}'],
    ['application/jsonx', '{"display_name":"x"}'],
    ['multipart/form-data', 'display_name=x'],
    ['multipart/form-data; boundary=', 'x'],
    ['multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="display_name"\r\n\r\nx'],
  ])('of the type %j are not guessed at', async (type, body) => {
    expect((await patch(body, { 'content-type': type }))[0]).toBe(400);
  });

  it('with a field twice are refused', async () => {
    const body = 'email=two@example.org&email=three@example.org&password=correct-horse&role=user';
    const headers = asAdmin({ 'content-type': 'application/x-www-form-urlencoded' });
    expect((await raw('/admin/users', { method: 'POST', headers, body }))[0]).toBe(400);
  });

  it.each(['email', 'password', 'display_name'])('with NUL in %s do not reach the database', async (field) => {
    const user = { email: 'nul@example.org', password: 'correct horse', role: 'user', display_name: 'x' };
    const body = JSON.stringify({ ...user, [field]: `${user[field as 'email']}\0` });
    const [status] = await raw('/admin/users', { method: 'POST', headers: asAdmin(json), body });
    expect(status).toBe(400);
  });
});

describe('names of files', () => {
  async function named(disposition: string): Promise<string> {
    const part = (name: string): string => `--b\r\nContent-Disposition: form-data; name="${name}"`;
    const fields = `${part('workflow_id')}\r\n\r\n${workflow}\r\n${part('force_resubmit')}\r\n\r\ntrue\r\n`;
    const head = Buffer.from(`${fields}${part('file')}; ${disposition}\r\n\r\n`, 'latin1');
    const body = Buffer.concat([head, log, Buffer.from('\r\n--b--\r\n')]);
    const headers = asAdmin({ 'content-type': 'multipart/form-data; boundary=b' });
    const [status, answer] = await raw('/upload', { method: 'POST', headers, body });
    expect([status, answer]).toEqual([202, answer]);
    const { job_id: id } = JSON.parse(answer) as SubmittedJob;
    return (JSON.parse((await raw(`/jobs/${id}`, { headers: asAdmin() }))[1]) as JobDetail).filename;
  }
  const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

  it.each([
    ['a path', '../../etc/cron.d/x.evtx', 'x.evtx'],
    ['a path of Windows', 'C:\\\\Windows\\\\x.evtx', 'x.evtx'],
    ['control characters', 'a\u0007\u001b[31m\u0085b.evtx', 'a[31mb.evtx'],
    ['a direction that turns it round', 'report\u202Extve.exe', 'reportxtve.exe'],
    ['a reserved name', 'CON', 'CON'],
    ['markup', '<img src=x onerror=alert(1)>.evtx', '<img src=x onerror=alert(1)>.evtx'],
    ['only dots', '..', 'upload.bin'],
    ['letters of the world', 'журнал-日志-🪵.evtx', 'журнал-日志-🪵.evtx'],
  ])('with %s are kept as what they are', async (_what, name, kept) => {
    expect(await named(utf8(`filename="${name}"`))).toBe(kept);
  });

  it('of 10 kB are cut, and keep their ending', async () => {
    const name = await named(utf8(`filename="${'🪵x'.repeat(2500)}.evtx"`));
    expect(name).toMatch(/^[🪵x]+\.evtx$/u);
    expect(name.length).toBeLessThanOrEqual(512);
  });

  it.each(["filename*=UTF-8''a%00b%2e%2e%2fc.evtx", 'filename="\xff\xfe.evtx"', "filename*=nonsense''%ff%fe"])(
    'in odd codings are names all the same: %s',
    async (disposition) => {
      expect(await named(disposition)).toMatch(/^[^\p{Cc}/]+$/u);
    },
  );

  it('are no names in the store', async () => {
    const found = await readdir(join(server.dataDir, 'objects'), { recursive: true, withFileTypes: true });
    for (const { name } of found.filter((entry) => entry.isFile())) expect(name).toMatch(/^[0-9a-f]{32}\.[a-z]+$/);
  });
});

describe('headers', () => {
  const submit = (key: string): Promise<[number, string]> => {
    const body = Buffer.concat([
      Buffer.from(`--b\r\nContent-Disposition: form-data; name="workflow_id"\r\n\r\n${workflow}\r\n`),
      Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="x.evtx"\r\n\r\n'),
      log,
      Buffer.from('\r\n--b--\r\n'),
    ]);
    const headers = asAdmin({ 'content-type': 'multipart/form-data; boundary=b', 'idempotency-key': key });
    return raw('/api/v1/jobs', { method: 'POST', headers, body });
  };

  it.each(['', 'a b', 'clé', '\xff\xfe', 'x'.repeat(129), 'one, two', 'a\tb'])(
    'with the key %j are refused',
    async (key) => {
      const [status, answer] = await submit(key);
      expect([status, (JSON.parse(answer) as { code: string }).code]).toEqual([400, 'bad_key']);
    },
  );

  it.each(['..%2f..', '%2e%2e', '%00', '%ff', 'a%20b', '%F0%9F%AA%B5', 'x'.repeat(4000)])(
    'and a receipt asked for by %s is none',
    async (key) => {
      const [status] = await raw(`/api/v1/submissions/${key}`, { headers: asAdmin() });
      expect([400, 404]).toContain(status);
    },
  );

  it('too large for anybody’s use are 431', async () => {
    expect((await raw('/health', { headers: { cookie: `svc_auth=${'x'.repeat(100_000)}` } }))[0]).toBe(431);
  });

  it.each([
    ['svc_auth=nonsense', 401],
    ['svc_auth=', 401],
    ['svc_auth', 401],
    ['xsvc_auth=COOKIE', 401],
    ['SVC_AUTH=COOKIE', 401],
    ['svc_auth="COOKIE"', 401],
    ['svc_auth=nonsense; svc_auth=COOKIE', 401],
    ['svc_auth=COOKIE; svc_auth=nonsense', 200],
    ['a=b;;; =; \xff=\xfe; svc_auth=COOKIE', 200],
  ])('with the cookies %j answer %d', async (cookies, status) => {
    const sent = cookies.replace('COOKIE', cookie.slice('svc_auth='.length));
    expect((await raw('/api/users/me', { headers: { cookie: sent } }))[0]).toBe(status);
  });

  it.each(['TRACE', 'OPTIONS', 'PROPFIND', 'SEARCH'])('by the method %s are answered', async (method) => {
    const [status] = await raw('/jobs', { method });
    expect([404, 405, 204]).toContain(status);
  });
});

import { usePorts } from '@svc/adapters/compose.ts';
import { LocalObjectStore } from '@svc/adapters/local/object-store.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import { currentLogFields } from '@svc/application/ports/log.ts';
import type { Problem, SubmittedJob } from '@svc/contracts';
import type { HttpHandler } from '@svc/functions/http-event.ts';
import { securityHeaders } from '@svc/functions/middleware/response-headers.ts';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signIn } from '../../test/support/sessions.ts';
import { createGateway, listen, stopServer } from './server.ts';
import { openSite } from './static-files.ts';

const mebibyte = 1_048_576;
const lines: string[] = [];
const test = await openTestPorts({
  deployment: {
    maxUploadBytes: 2 * mebibyte,
    maxConcurrentUploads: 40,
    http: { host: '127.0.0.1', port: 0, secureCookies: false, logRequests: true },
  },
});
const write =
  (level: string) =>
  (message: string, fields: object = {}): void =>
    void lines.push(`${level} ${message} ${JSON.stringify({ ...currentLogFields(), ...fields })}`);
const log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
const store = await mkdtemp(join(tmpdir(), 'svc-store-'));
const ports = { ...test.ports, log, objects: new LocalObjectStore(store) };
usePorts(ports);
const { handlers: all } = await import('@svc/functions/handlers.ts');

let web = '';
let server: Server;
let base = '';
let workflow = '';

let openRequests = 0;
const counted =
  (handler: HttpHandler): HttpHandler =>
  async (event) => {
    openRequests += 1;
    return handler(event).finally(() => (openRequests -= 1));
  };

beforeAll(async () => {
  web = await mkdtemp(join(tmpdir(), 'svc-web-'));
  await writeFile(join(web, 'index.html'), '<title>shell</title>');
  const handlers = { ...all, submissions: counted(all.submissions) };
  server = createGateway({
    ...ports,
    handlers,
    site: await openSite(web, securityHeaders(ports.deployment)),
    ready: () => Promise.resolve(),
  });
  await listen(server, { host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await stopServer(server, 0);
  await test.close();
  for (const folder of [web, store]) await rm(folder, { recursive: true });
});
beforeEach(async () => {
  await test.reset();
  lines.length = 0;
  workflow = String((await ports.workflows.list()).find(({ isDefault }) => isDefault)?.id);
});
afterEach(() => {
  const failure = lines.find((line) => line.startsWith('error'));
  if (failure !== undefined) throw new Error(failure);
});

const evtx = (size = 1000): Buffer => Buffer.concat([Buffer.from('ElfFile\0'), randomBytes(size - 8)]);

/** A part of a hand-made form. */
const part = (head: string, content: Uint8Array | string): Buffer =>
  Buffer.concat([
    Buffer.from(`--frontier\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
const field = (name: string, value: string): Buffer => part(`name="${name}"`, value);
const filePart = (content: Uint8Array, name = 'x.evtx'): Buffer => part(`name="file"; filename="${name}"`, content);
const end = Buffer.from('--frontier--\r\n');
/** A complete form with a file of this size. */
const formOf = (size: number): Buffer[] => [filePart(evtx(size)), field('workflow_id', workflow), end];
const formType = 'multipart/form-data; boundary=frontier';

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly code: string | undefined;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** Sent one after another; with a length unless told otherwise. */
  readonly body?: readonly Uint8Array[];
  readonly chunked?: boolean;
}

/** By node:http, which lets a test lie about lengths. */
function ask(path: string, { method = 'POST', headers = {}, body = [], chunked = false }: Sent = {}): Promise<Answer> {
  const length = chunked ? {} : { 'content-length': Buffer.concat(body).length };
  return new Promise((resolve, reject) => {
    const request = httpRequest(base + path, { method, headers: { 'content-type': formType, ...length, ...headers } });
    request.on('error', reject);
    request.on('response', async (response) => {
      const answer = await text(response);
      const code = answer.startsWith('{') ? (JSON.parse(answer) as Partial<Problem>).code : undefined;
      resolve({ status: response.statusCode!, body: answer, code });
      request.destroy();
    });
    for (const each of body) request.write(each);
    request.end();
  });
}

const upload = (body: readonly Uint8Array[], sent: Sent = {}): Promise<Answer> => ask('/upload', { ...sent, body });

const login = (body: readonly Uint8Array[], sent: Sent = {}): Promise<Answer> =>
  ask('/auth/cookie/login', { headers: { 'content-type': 'application/json' }, ...sent, body });

const get = (path: string, accept: string, method = 'GET') => fetch(base + path, { method, headers: { accept } });

/** Files in the store, half-written ones included. */
async function stored(): Promise<number> {
  const entries = await readdir(store, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

/** Sends bytes as they are, and returns what came back until `until` matches or the server hangs up. */
async function raw(bytes: Uint8Array | string, until: RegExp, to = server): Promise<string> {
  const socket = connect((to.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  const done = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      if (until.test(received)) resolve();
    });
    socket.on('close', () => resolve());
    socket.on('error', () => resolve());
  });
  socket.write(bytes);
  await done;
  socket.destroy();
  return received;
}

describe('an upload', () => {
  it('arrives byte for byte', async () => {
    const bytes = evtx(mebibyte + 12_345);
    const before = await stored();
    const answer = await upload([filePart(bytes, 'Fälle 1.evtx'), field('workflow_id', workflow), end]);
    expect(answer.status).toBe(202);
    const record = await ports.jobs.get((JSON.parse(answer.body) as SubmittedJob).job_id);
    expect(record?.job.submittedName).toBe('Fälle 1.evtx');
    expect(record?.file).toMatchObject({
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      detectedType: 'evtx',
    });
    const reader = await ports.objects.open(record!.file.storageKey);
    const read = Buffer.alloc(bytes.length);
    await reader.read(0, read);
    await reader.close();
    expect(read.equals(bytes)).toBe(true);
    expect(await stored()).toBe(before + 1);
  });

  it('may bring its fields first, in any pieces, and a name with a path', async () => {
    const form = Buffer.concat([field('workflow_id', workflow), filePart(evtx(), 'C:\\logs\\b.evtx'), end]);
    const pieces = Array.from({ length: Math.ceil(form.length / 97) }, (_, i) => form.subarray(i * 97, i * 97 + 97));
    const answer = await upload(pieces);
    expect(answer.status).toBe(202);
    const record = await ports.jobs.get((JSON.parse(answer.body) as SubmittedJob).job_id);
    expect(record?.job.submittedName).toBe('b.evtx');
  });

  it('is fine at the limit and refused beyond it', async () => {
    const before = await stored();
    expect((await upload(formOf(2 * mebibyte))).status).toBe(202);
    expect(await stored()).toBe(before + 1);
    const beyond = await upload(formOf(2 * mebibyte + 1));
    expect([beyond.status, beyond.code]).toEqual([413, 'too_large']);
    expect(await stored()).toBe(before + 1);
  });

  it('of a larger body is refused by its declared length, and still answered', async () => {
    const before = await stored();
    const answer = await upload(formOf(8 * mebibyte));
    expect([answer.status, answer.code]).toEqual([413, 'too_large']);
    expect(await stored()).toBe(before);
  });

  it('needs a length', async () => {
    const form = formOf(1000);
    const answer = await upload(form, { chunked: true });
    expect([answer.status, answer.code]).toEqual([411, 'length_required']);
    const preview = await ask('/detect-preview', { body: form, chunked: true });
    expect([preview.status, preview.code]).toEqual([411, 'length_required']);
  });

  it('invites clients that ask first, and spares refused ones the sending', async () => {
    const form = Buffer.concat([filePart(evtx()), field('workflow_id', workflow), end]);
    const asked = async (length: number): Promise<{ status: number; invited: boolean }> => {
      const headers = { 'content-type': formType, 'content-length': length, expect: '100-continue' };
      const request = httpRequest(`${base}/upload`, { method: 'POST', headers });
      let invited = false;
      request.on('continue', () => {
        invited = true;
        request.end(form);
      });
      request.flushHeaders();
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      request.on('error', () => undefined).destroy();
      return { status: response.statusCode!, invited };
    };
    expect(await asked(form.length)).toEqual({ status: 202, invited: true });
    expect(await asked(1e9)).toEqual({ status: 413, invited: false });
  });

  it.each([
    ['no file', [], 'one_file'],
    ['a field for the file', [part('name="file"', 'text')], 'one_file'],
    ['a file by another name', [part('name="log"; filename="x.evtx"', evtx())], 'one_file'],
    ['an empty file input', [part('name="file"; filename=""', '')], 'one_file'],
    ['two files', [filePart(evtx()), filePart(evtx())], 'one_file'],
    ['a second file after a large one', [filePart(evtx(mebibyte)), filePart(evtx(mebibyte))], 'one_file'],
    ['a file of another name after it', [filePart(evtx()), part('name="more"; filename="y"', 'y')], 'one_file'],
    ['too many fields', [filePart(evtx()), ...Array.from({ length: 51 }, (_, i) => field(`f${i}`, ''))], 'bad_request'],
    ['a huge field', [filePart(evtx()), field('note', 'x'.repeat(70_000))], 'bad_request'],
    ['a wrong workflow', [filePart(evtx()), field('workflow_id', '999999')], 'unknown_workflow'],
    ['no workflow', [filePart(evtx())], 'unknown_workflow or bad_request'],
  ])('with %s is refused and leaves nothing', async (name, parts, code) => {
    const before = await stored();
    const workflowId = name.includes('workflow') ? [] : [field('workflow_id', workflow)];
    const answer = await upload([...parts, ...workflowId, end]);
    expect(answer.status).toBe(400);
    expect(code).toContain(answer.code);
    expect(await stored()).toBe(before);
  });

  it.each([
    ['application/json', '{}'],
    ['application/x-www-form-urlencoded', 'file=x'],
    ['multipart/form-data', 'x'],
    ['multipart/mixed; boundary=frontier', 'x'],
    ['nonsense', 'x'],
  ])('as %s is refused', async (type, body) => {
    const answer = await upload([Buffer.from(body)], { headers: { 'content-type': type } });
    expect([answer.status, answer.code]).toEqual([400, 'one_file']);
  });

  it.each([0, 1, 40, 150, 700, 1100, 1250])(
    'that is cut off %i bytes before its end leaves nothing',
    async (missing) => {
      const before = await stored();
      const form = Buffer.concat([filePart(evtx(900)), field('workflow_id', workflow), end]);
      const whole = form.subarray(0, form.length - '--\r\n'.length - missing);
      const answer = await upload([whole]);
      expect(answer.status).toBe(400);
      expect(await stored()).toBe(before);
    },
  );

  it('that its client abandons leaves nothing', async () => {
    const before = await stored();
    for (const sent of [200, 50_000, 700_000]) {
      const request = httpRequest(`${base}/upload`, {
        method: 'POST',
        headers: { 'content-type': formType, 'content-length': 1_500_000 },
      });
      request.on('error', () => undefined);
      request.write(filePart(evtx(1_400_000)).subarray(0, sent));
      // Less than a head is not in the store yet.
      if (sent > 65_536) await expect.poll(stored, { timeout: 20_000 }).toBe(before + 1);
      else await sleep(100);
      request.destroy();
    }
    await expect.poll(stored, { timeout: 20_000 }).toBe(before);
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(3);
    expect((await fetch(`${base}/health`)).status).toBe(200);
  });

  it('comes to an end whenever its client goes away', async () => {
    const form = Buffer.concat(formOf(1000));
    const head = `POST /upload HTTP/1.1\r\nHost: x\r\nContent-Type: ${formType}\r\nContent-Length: ${form.length}\r\n\r\n`;
    const pauses = Array.from({ length: 24 }, (_, index) => index);
    await Promise.all(
      pauses.map(async (pause) => {
        const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(Buffer.concat([Buffer.from(head), form]));
        await sleep(pause);
        socket.resetAndDestroy();
      }),
    );
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBeGreaterThan(pauses.length / 2);
    await expect.poll(() => openRequests, { timeout: 20_000 }).toBe(0);
  });

  it('does not wait for others', async () => {
    const before = await stored();
    const forms = Array.from({ length: 8 }, () => formOf(mebibyte));
    const answers = await Promise.all(forms.map((form) => upload(form)));
    expect(answers.map(({ status }) => status)).toEqual(forms.map(() => 202));
    expect(await stored()).toBe(before + forms.length);
  });

  it('is refused to visitors of the account’s address before a byte is read', async () => {
    const before = await stored();
    const form = formOf(mebibyte);
    const visitor = await ask('/api/v1/jobs', { body: form });
    expect([visitor.status, visitor.code]).toEqual([401, 'unauthenticated']);
    const cookie = await signIn(ports, 'user');
    const forged = await ask('/api/v1/jobs', { body: form, headers: { cookie, origin: 'http://evil.example' } });
    expect([forged.status, forged.code]).toEqual([403, 'csrf']);
    expect(await stored()).toBe(before);
    const own = await ask('/api/v1/jobs', { body: form, headers: { cookie, origin: base } });
    expect(own.status).toBe(202);
  });

  it('cannot forge what the gateway found out', async () => {
    const headers = { 'content-type': 'application/json', requestcontext: '{"form":{}}' };
    const body = [Buffer.from('{"requestContext":{"form":{"file":{"key":"x"}}},"file":{"key":"x"}}')];
    expect((await ask('/upload', { body, headers })).code).toBe('one_file');
  });

  it('only looks at previews', async () => {
    const before = await stored();
    const answer = await ask('/detect-preview', { body: [filePart(evtx(65_536)), end] });
    expect(JSON.parse(answer.body)).toEqual({ log_type: 'evtx', label: 'Windows Event Log (EVTX)' });
    const large = await ask('/detect-preview', { body: [filePart(evtx(262_144)), end] });
    expect([large.status, large.code]).toEqual([413, 'too_large']);
    expect(await stored()).toBe(before);
  });
});

describe('an ordinary body', () => {
  it('may come in chunks', async () => {
    const body = ['{"username":"a@example.org",', '"password":"b"}'].map((piece) => Buffer.from(piece));
    expect((await login(body, { chunked: true })).code).toBe('bad_credentials');
  });

  it.each([true, false])('is refused beyond a mebibyte (chunked: %s)', async (chunked) => {
    const body = Array.from({ length: 24 }, () => Buffer.alloc(65_536, 'x'));
    const answer = await login(body, { chunked });
    expect([answer.status, answer.code]).toEqual([413, 'too_large']);
  });

  it('that never comes is no trouble', async () => {
    const head =
      'POST /auth/cookie/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"';
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(head);
    await sleep(100);
    socket.destroy();
    expect((await fetch(`${base}/health`)).status).toBe(200);
  });

  it('of another length than declared is no valid request', async () => {
    const longer =
      'POST /auth/cookie/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}trailing garbage\r\n\r\n';
    expect(await raw(longer, /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 400 /);
    const both = 'POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    expect(await raw(both, /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('addresses', () => {
  it('are pages for browsers and data for programs', async () => {
    for (const path of ['/jobs', '/jobs/1']) {
      const page = await get(path, 'text/html,application/xhtml+xml,*/*;q=0.8');
      expect([page.status, await page.text()]).toEqual([200, '<title>shell</title>']);
      expect(page.headers.get('vary')).toContain('Accept');
    }
    const data = await get('/jobs', 'application/json');
    expect(await data.json()).toMatchObject({ jobs: [], total: 0 });
    expect(data.headers.get('vary')).toBe('Cookie, Accept');
    expect((await get('/jobs', '*/*')).headers.get('content-type')).toBe('application/json');
    expect((await get('/', '*/*')).headers.get('content-type')).toContain('text/html');
  });

  it('answer HEAD without a body', async () => {
    const data = await get('/jobs', 'application/json', 'HEAD');
    expect([data.status, data.headers.get('content-type'), await data.text()]).toEqual([200, 'application/json', '']);
    expect(Number(data.headers.get('content-length'))).toBeGreaterThan(10);
    expect((await get('/', 'text/html', 'HEAD')).status).toBe(200);
  });

  it.each([
    ['GET', '/assets/missing.js', 404],
    ['GET', '/missing.png', 404],
    ['GET', '/api/nothing', 404],
    ['GET', '/api/v1/workflows/', 404],
    ['POST', '/jobs', 405],
    ['DELETE', '/jobs/1', 405],
    ['PUT', '/nothing', 404],
    ['OPTIONS', '/upload', 405],
    ['GET', '/upload', 405],
    ['POST', '/assets/x.js', 404],
  ])('%s %s is %i with a problem', async (method, path, status) => {
    const answer = await get(path, 'application/json', method);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({
      detail: expect.any(String),
      code: expect.any(String),
      request_id: expect.any(String),
    });
    if (status === 405) expect(answer.headers.get('allow')).toMatch(/^(GET|POST)$/);
  });

  it.each([
    'GET /../../etc/passwd',
    'GET /..%2f..%2fetc%2fpasswd',
    'GET http://elsewhere/etc/passwd',
    'OPTIONS *',
    'GET /jobs/%00',
  ])('%s is harmless', async (line) => {
    const answer = await raw(`${line} HTTP/1.1\r\nHost: x\r\n\r\n`, /\r\n\r\n./s);
    expect(answer).toMatch(/^HTTP\/1\.1 (200|40[04]) /);
    expect(answer).not.toContain('root:');
  });

  it('keep connections open', async () => {
    const request = 'GET /api/v1/workflows HTTP/1.1\r\nHost: x\r\n\r\n';
    const answers = await raw(request + request, /workflows.*workflows/s);
    expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });
});

describe('the request log', () => {
  it('has a line for a request, none for /health and files', async () => {
    for (const path of ['/health', '/', '/index.html']) await fetch(base + path);
    expect(lines).toEqual([]);
    await fetch(`${base}/api/v1/workflows`, { headers: { 'x-request-id': 'mine' } });
    expect(lines).toEqual([expect.stringMatching(/^info request {"request_id":"mine","operation":"listWorkflows"/)]);
  });
});

it('joins repeated cookie headers and query fields', async () => {
  const cookie = await signIn(ports, 'user');
  const request = `GET /api/users/me HTTP/1.1\r\nHost: x\r\nCookie: a=1; b=2\r\nCookie: ${cookie}\r\n\r\n`;
  expect(await raw(request, /\}/)).toContain('user@example.org');
  const states = await fetch(`${base}/api/v1/jobs?ids=5&ids=6`);
  expect(await states.json()).toEqual({ jobs: [], unavailable_ids: [5, 6] });
});

describe('who a write comes from', () => {
  const post = (cookie: string, headers: readonly string[], to = server): Promise<string> =>
    raw(
      `POST /jobs/1/cancel HTTP/1.1\r\n${headers.join('\r\n')}\r\n${cookie}\r\nContent-Length: 0\r\n\r\n`,
      /"code":"\w+"|400 Bad Request/,
      to,
    );
  let cookie = '';
  beforeEach(async () => void (cookie = `Cookie: ${await signIn(ports, 'user')}`));

  it.each([
    [['Host: x', 'Origin: http://x'], 'not_found'],
    [['host: X', 'ORIGIN: http://x'], 'not_found'],
    [['Host: x:8000', 'Origin: http://x:8000'], 'not_found'],
    [['Host: x', 'Referer: http://x/a?b=c,d,http:'], 'not_found'],
    [['Host: x:8000', 'Origin: http://x:8001'], 'csrf'],
    [['Host: x', 'Origin: null'], 'csrf'],
    [['Host: x', 'Origin:', 'Referer: http://x/'], 'csrf'],
    [['Host: x', 'Origin: http://x', 'Origin: http://x'], 'csrf'],
    [['Host: x', 'Origin: http://x', 'Origin: null'], 'csrf'],
    [['Host: x', 'Host: x', 'Origin: http://x'], 'csrf'],
    [['Host: evil.example', 'Host: x', 'Origin: http://evil.example'], 'csrf'],
    [['Host: x', 'Referer: http://x/', 'Referer: http://evil.example/'], 'csrf'],
    [['Host: x', 'Referer: http://x/', 'Referer: /jobs'], 'csrf'],
    [['Host: x', 'Referer: http://x/', 'Referer: http://x/'], 'csrf'],
    // Nobody has been told to believe this proxy.
    [['Host: x', 'X-Forwarded-Host: evil.example', 'Origin: http://evil.example'], 'csrf'],
    [['Host: x', 'Origin: http://evil.example', 'Authorization: Basic dTpw'], 'csrf'],
    [['Host: x', 'Origin: http://evil.example', 'Authorization: Basic dTpw', 'Authorization: Bearer svc_x'], 'csrf'],
    [['Host: x', 'Origin: http://evil.example', 'Authorization: Bearer svc_x'], 'bad_token'],
  ])('%j is %s', async (headers, code) => expect(await post(cookie, headers)).toContain(`"${code}"`));

  it('is looked for in all cookie headers', async () => {
    const split = `Cookie: theme=dark\r\nCookie: a=b; ${cookie.slice('Cookie: '.length)}`;
    expect(await post(split, ['Host: x', 'Origin: http://evil.example'])).toContain('"csrf"');
    expect(await post('Cookie: theme=dark', ['Host: x', 'Origin: http://evil.example'])).toContain('"unauthenticated"');
  });

  it('goes by the host that a trusted proxy was asked for', async () => {
    const http = { ...ports.deployment.http, trustedProxies: ['127.0.0.1/32'] };
    const handlers = { ...all, submissions: counted(all.submissions) };
    const behind = createGateway({
      ...ports,
      deployment: { ...ports.deployment, http },
      handlers,
      site: await openSite(web, {}),
      ready: () => Promise.resolve(),
    });
    await listen(behind, { host: '127.0.0.1', port: 0 });
    const forwarded = (...hosts: string[]) => hosts.map((host) => `X-Forwarded-Host: ${host}`);
    const cancel = (...headers: string[]) =>
      post(cookie, ['Host: inner:8000', 'Origin: https://svc.test', ...headers], behind);
    expect(await cancel(...forwarded('svc.test'))).toContain('"not_found"');
    expect(await cancel(...forwarded('svc.test, svc.test'))).toContain('"not_found"');
    expect(await cancel(...forwarded('svc.test', 'evil.example'))).toContain('"csrf"');
    expect(await cancel()).toContain('"csrf"');
    await stopServer(behind, 0);
  });
});

describe('what is no HTTP', () => {
  it.each([
    ['GET / HTTP/9.9\r\nHost: x\r\n\r\n', 400],
    ['nonsense\r\n\r\n', 400],
    ['GET /jobs HTTP/1.1\r\nHost: x\r\nBad Header: y\r\n\r\n', 400],
    ['POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    [`GET /jobs HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    // After an answer on the same connection.
    ['GET /health HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n', 400],
  ])('is refused with the headers of every answer: %j', async (bytes, status) => {
    const answer = await raw(bytes, /"code":"bad_request"/);
    expect(answer).toMatch(new RegExp(`HTTP/1\\.1 ${status} [^]*"code":"bad_request"`));
    const head = answer.slice(answer.lastIndexOf('HTTP/1.1 '));
    for (const header of [
      'x-content-type-options: nosniff',
      'x-frame-options: SAMEORIGIN',
      'cache-control: no-store, private',
      'content-security-policy: ',
      'connection: close',
    ]) {
      expect(head).toContain(`\r\n${header}`);
    }
    const [id] = /(?<=x-request-id: )\S+/.exec(head) ?? [];
    expect(head).toContain(`"request_id":"${id}"`);
  });

  it('does not spoil an answer that is under way', async () => {
    // The body, refused by its length, turns out to be something else than chunks.
    const answer = await raw(
      'POST /auth/cookie/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      /"code":"bad_request"/,
    );
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect((await fetch(`${base}/health`)).status).toBe(200);
  });
});

describe('the request id', () => {
  const idOf = async (...sent: string[]): Promise<string | undefined> => {
    const headers = sent.map((id) => `X-Request-ID: ${id}\r\n`).join('');
    const answer = await raw(`GET /jobs/7 HTTP/1.1\r\nHost: x\r\n${headers}\r\n`, /"request_id":"[^"]*"/);
    const [inHeader] = answer.match(/(?<=x-request-id: ).*/i) ?? [];
    expect(answer).toContain(`"request_id":"${inHeader}"`);
    expect(lines.at(-1)).toContain(`"request_id":"${inHeader}"`);
    return inHeader;
  };
  const generated = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

  it.each(['trace-7_a.b', 'x'.repeat(64)])('is the caller’s %s', async (id) => expect(await idOf(id)).toBe(id));

  it.each([
    [['']],
    [['x'.repeat(65)]],
    [['x'.repeat(8000)]],
    [['a b']],
    [['a;b']],
    [['<script>']],
    [['${jndi:ldap://x}']],
    [['é']],
    [['a', 'b']],
    [['a,b']],
    [['../../x']],
    [['%0d%0aSet-Cookie: x=y']],
  ])('is a new one instead of %j', async (sent) => expect(await idOf(...sent)).toMatch(generated));
});

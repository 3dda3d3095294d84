import type { Problem, SubmittedJob, UploadTicket } from '@svc/contracts';
import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGateway } from '../../test/support/open-gateway.ts';
import { signIn } from '../../test/support/sessions.ts';

const mebibyte = 1_048_576;
const gateway = await openGateway({
  deployment: { maxUploadBytes: 2 * mebibyte, maxConcurrentUploads: 2, http: { trustedProxies: ['127.0.0.1'] } },
});
const { ports, test, url: base, errors, stored } = gateway;
let workflow = 0;
afterAll(() => gateway.close());
beforeEach(async () => {
  await test.reset();
  workflow = (await ports.workflows.list()).find(({ isDefault }) => isDefault)?.id ?? 0;
});
afterEach(() => {
  if (errors.length > 0) throw new Error(errors.join('\n'));
});

const evtx = (size = 1000): Buffer<ArrayBuffer> => Buffer.concat([Buffer.from('ElfFile\0'), randomBytes(size - 8)]);

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly code: string | undefined;
}

/** By node:http, which lets a test lie about lengths. */
function ask(method: string, url: string, body: Buffer, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers: { 'content-length': body.length, ...headers } });
    request.on('error', reject);
    request.on('response', async (response) => {
      const answer = await text(response);
      const code = answer.startsWith('{') ? (JSON.parse(answer) as Partial<Problem>).code : undefined;
      resolve({ status: response.statusCode!, body: answer, code });
      request.destroy();
    });
    request.end(body);
  });
}

const post = (path: string, fields: object, headers: OutgoingHttpHeaders = {}): Promise<Answer> =>
  ask('POST', base + path, Buffer.from(JSON.stringify(fields)), { 'content-type': 'application/json', ...headers });

const announcement = (bytes: Buffer) => ({
  filename: 'Fälle 1.evtx',
  size_bytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

async function reserve(bytes: Buffer, path = '/uploads', headers: OutgoingHttpHeaders = {}): Promise<UploadTicket> {
  const answer = await post(path, announcement(bytes), headers);
  expect([answer.status, answer.body]).toEqual([201, expect.any(String)]);
  return JSON.parse(answer.body) as UploadTicket;
}

const send = ({ url, headers }: UploadTicket, bytes: Buffer, more: OutgoingHttpHeaders = {}): Promise<Answer> =>
  ask('PUT', url, bytes, { ...headers, ...more });

const submit = (path: string, { upload_id }: UploadTicket, headers: OutgoingHttpHeaders = {}): Promise<Answer> =>
  post(path, { upload_id, workflow_id: workflow }, headers);

describe('an upload that is sent by itself', () => {
  it('arrives byte for byte, and becomes a job', async () => {
    const bytes = evtx(mebibyte + 12_345);
    const ticket = await reserve(bytes);
    expect(await send(ticket, bytes)).toMatchObject({ status: 204, body: '' });
    const answer = await submit('/upload', ticket);
    expect(answer.status).toBe(202);
    const record = await ports.jobs.get((JSON.parse(answer.body) as SubmittedJob).job_id);
    expect(record?.job.submittedName).toBe('Fälle 1.evtx');
    expect(record?.file).toMatchObject({ sizeBytes: bytes.length, sha256: announcement(bytes).sha256 });
    const copy = await ports.objects.localCopy(record!.file.storageKey);
    expect(copy.path).toMatch(/\.evtx$/);
    await copy.release();
  });

  it('is submitted by JSON and by forms alike', async () => {
    const fields = async (): Promise<string> => {
      const bytes = evtx();
      const ticket = await reserve(bytes);
      await send(ticket, bytes);
      return new URLSearchParams({ upload_id: ticket.upload_id, workflow_id: String(workflow) }).toString();
    };
    const encoded = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await ask('POST', `${base}/upload`, Buffer.from(await fields()), encoded)).status).toBe(202);
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(await fields())) form.set(name, value);
    expect((await fetch(`${base}/upload`, { method: 'POST', body: form })).status).toBe(202);
    form.set('file', new Blob([evtx()]), 'x.evtx');
    const before = await stored();
    const both = await fetch(`${base}/upload`, { method: 'POST', body: form });
    expect([both.status, await both.json()]).toMatchObject([400, { code: 'one_file' }]);
    expect((await post('/upload', { workflow_id: workflow })).code).toBe('one_file');
    expect((await post('/upload', { upload_id: 'x', workflow_id: workflow })).code).toBe('no_upload');
    expect(await stored()).toBe(before);
  });

  it.each([
    ['fewer bytes', (bytes: Buffer) => bytes.subarray(1), 'length_mismatch'],
    ['more bytes', (bytes: Buffer) => Buffer.concat([bytes, bytes]), 'length_mismatch'],
    ['no bytes', () => Buffer.alloc(0), 'length_mismatch'],
    ['other bytes', (bytes: Buffer) => Buffer.from(bytes).reverse(), 'digest_mismatch'],
  ])('of %s than announced leaves nothing', async (_what, change, code) => {
    const bytes = evtx(300_000);
    const ticket = await reserve(bytes);
    const before = await stored();
    const answer = await send(ticket, change(bytes));
    expect([answer.status, answer.code]).toEqual([400, code]);
    expect((await submit('/upload', ticket)).code).toBe('upload_incomplete');
    expect(await stored()).toBe(before);
    expect((await send(ticket, bytes)).status).toBe(204);
    expect((await submit('/upload', ticket)).status).toBe(202);
  });

  it('needs a length', async () => {
    const bytes = evtx();
    const { url } = await reserve(bytes);
    const response = await fetch(url, {
      method: 'PUT',
      body: new Blob([bytes]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect([response.status, await response.json()]).toMatchObject([411, { code: 'length_required' }]);
  });

  it('is asked for by those who ask first, and not when it is refused', async () => {
    const bytes = evtx();
    const { url } = await reserve(bytes);
    const asked = (address: string, length: number): Promise<{ status: number; invited: boolean }> =>
      new Promise((resolve, reject) => {
        let invited = false;
        const headers = { 'content-length': length, expect: '100-continue' };
        const request = httpRequest(address, { method: 'PUT', headers });
        request.on('continue', () => {
          invited = true;
          request.end(bytes);
        });
        request.on('response', ({ statusCode }) => {
          resolve({ status: statusCode!, invited });
          request.destroy();
        });
        request.on('error', reject);
        request.flushHeaders();
      });
    expect(await asked(url, bytes.length + 1)).toEqual({ status: 400, invited: false });
    expect(await asked(`${url}x`, bytes.length)).toEqual({ status: 404, invited: false });
    expect(await asked(url, bytes.length)).toEqual({ status: 204, invited: true });
  });

  it('that breaks off leaves nothing, and can be sent again', async () => {
    const bytes = evtx(mebibyte);
    const ticket = await reserve(bytes);
    const before = await stored();
    const request = httpRequest(ticket.url, { method: 'PUT', headers: { 'content-length': bytes.length } });
    request.on('error', () => undefined);
    request.write(bytes.subarray(0, 700_000));
    await expect.poll(stored, { timeout: 20_000 }).toBe(before + 1);
    request.destroy();
    await expect.poll(stored, { timeout: 20_000 }).toBe(before);
    expect((await submit('/upload', ticket)).code).toBe('upload_incomplete');
    expect((await send(ticket, bytes)).status).toBe(204);
  });

  it('may be repeated until it is submitted', async () => {
    const bytes = evtx(mebibyte);
    const ticket = await reserve(bytes);
    const before = await stored();
    for (const _ of [1, 2]) expect((await send(ticket, bytes)).status).toBe(204);
    expect((await send(ticket, Buffer.from(bytes).reverse())).code).toBe('digest_mismatch');
    expect(await stored()).toBe(before + 1);
    const first = await submit('/upload', ticket);
    expect((await send(ticket, bytes)).code).toBe('no_upload');
    const again = await submit('/upload', ticket);
    expect([first.status, again.status, again.body]).toEqual([202, 200, first.body]);
  });

  it('is taken at its own address only, and for an hour', async () => {
    const bytes = evtx();
    const ticket = await reserve(bytes);
    const other = await reserve(evtx(2000));
    const [head, claims, signature] = ticket.url.split('/').at(-1)!.split('.') as [string, string, string];
    const forged = [
      `${ticket.url}x`,
      ticket.url.slice(0, -1),
      `${base}/api/uploads/x`,
      `${head}.${other.url.split('.').at(-2)}.${signature}`,
      `${head}.${claims}.${other.url.split('.').at(-1)}`,
    ];
    for (const url of forged) {
      const address = new URL(url, `${base}/api/uploads/`).href;
      expect(await send({ ...ticket, url: address }, bytes)).toMatchObject({ status: 404, code: 'no_upload' });
    }
    test.advance(3601);
    expect((await send(ticket, bytes)).code).toBe('no_upload');
  });

  it('of an account is no one else’s', async () => {
    const bytes = evtx();
    const cookie = await signIn(ports, 'user');
    const own = { cookie, origin: base };
    const ticket = await reserve(bytes, '/api/v1/uploads', own);
    expect((await send(ticket, bytes)).status).toBe(204);
    const stranger = { cookie: await signIn(ports, 'member'), origin: base };
    for (const headers of [{}, stranger]) {
      expect(await submit('/upload', ticket, headers)).toMatchObject({ status: 404, code: 'no_upload' });
    }
    expect((await submit('/api/v1/jobs', ticket)).status).toBe(401);
    expect((await submit('/api/v1/jobs', ticket, { cookie })).code).toBe('csrf');
    expect((await submit('/api/v1/jobs', ticket, own)).status).toBe(202);
    expect((await post('/api/v1/uploads', announcement(bytes))).status).toBe(401);
  });

  it('takes a place among the uploads', async () => {
    const bytes = evtx(mebibyte);
    const tickets = [await reserve(bytes), await reserve(bytes), await reserve(bytes)];
    const slow = tickets.slice(0, 2).map(({ url }) => {
      const request = httpRequest(url, { method: 'PUT', headers: { 'content-length': bytes.length } });
      request.on('error', () => undefined);
      request.write(bytes.subarray(0, 200_000));
      return request;
    });
    const before = await stored();
    await expect.poll(async () => (await send(tickets[2]!, bytes)).code, { timeout: 20_000 }).toBe('busy');
    for (const request of slow) request.destroy();
    await expect.poll(async () => (await send(tickets[2]!, bytes)).status, { timeout: 20_000 }).toBe(204);
    expect(await stored()).toBeLessThanOrEqual(before + 1);
  });

  it('is refused while it is announced, when it is too large', async () => {
    const large = { ...announcement(evtx()), size_bytes: 2 * mebibyte + 1 };
    expect(await post('/uploads', large)).toMatchObject({ status: 413, code: 'too_large' });
    for (const wrong of [{ size_bytes: -1 }, { size_bytes: 1.5 }, { sha256: 'x' }, { filename: 7 }]) {
      expect(await post('/uploads', { ...large, size_bytes: 1, ...wrong })).toMatchObject({ status: 400 });
    }
  });
});

it('names addresses as the client knows the service', async () => {
  const bytes = evtx();
  const port = new URL(base).port;
  const urlFor = async (headers: OutgoingHttpHeaders) =>
    new URL((await reserve(bytes, '/uploads', headers)).url).origin;
  expect(await urlFor({})).toBe(`http://127.0.0.1:${port}`);
  expect(await urlFor({ host: 'logs.example.org:8080' })).toBe('http://logs.example.org:8080');
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'svc.example.org' };
  expect(await urlFor(forwarded)).toBe('https://svc.example.org');
});

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { evtx, field, filePart, formEnd, formType, part, uploadForm } from '../../test/support/multipart.ts';
import { openGateway } from '../../test/support/open-gateway.ts';

const mebibyte = 1_048_576;
const places = 2;
const gateway = await openGateway({
  deployment: { maxUploadBytes: 2 * mebibyte, maxConcurrentUploads: places },
  patience: { bodyMs: 1500, uploadMs: () => 600_000, silenceMs: 1500, idleMs: 600_000, lingerMs: 1000 },
});
afterAll(() => gateway.close());

type Piece = string | Uint8Array;

/** A request as it goes over the wire; a length only where the test gives one. */
const head = (line: string, headers: Record<string, string | number>): string =>
  `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
const form = (path: string, length: number): string =>
  head(`POST ${path}`, { 'Content-Type': formType, 'Content-Length': length });
const json = (length: number): string =>
  head('POST /auth/cookie/login', { 'Content-Type': 'application/json', 'Content-Length': length });
const chunked = (path: string, type: string): string =>
  head(`POST ${path}`, { 'Content-Type': type, 'Transfer-Encoding': 'chunked' });

interface Exchange {
  /** Statuses of the answers that came. */
  readonly statuses: readonly number[];
  readonly text: string;
}

/** Sends the pieces, and then floods, hangs up or does nothing; what came back by the time the server hung up. */
function exchange(
  pieces: readonly Piece[],
  { hangUp = false, flood }: { hangUp?: boolean; flood?: Piece } = {},
): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect(gateway.port, '127.0.0.1');
    let text = '';
    const done = (): void => {
      socket.destroy();
      resolve({ text, statuses: [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map((match) => Number(match[1])) });
    };
    const pour = (): void => {
      while (flood !== undefined && socket.writable) if (!socket.write(flood)) return;
    };
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('close', done);
    socket.on('error', () => undefined);
    socket.on('drain', pour);
    for (const piece of pieces) socket.write(piece);
    pour();
    if (hangUp) socket.end();
  });
}

/** How many uploads would be let in now. */
async function freePlaces(): Promise<number> {
  const { uploadAdmission } = gateway.ports;
  const tries = Array.from({ length: places + 1 }, (_, at) => `probe-${at}`);
  let free = 0;
  for (const id of tries)
    if ((await uploadAdmission.hold({ id, bytes: 0, holder: `account:${id}` }, null)) === 'held') free += 1;
  for (const id of tries) await uploadAdmission.release(id);
  return free;
}

let before = 0;
beforeEach(async () => {
  before = await gateway.stored();
});
/** Whatever was done to it, nothing is left of it and the next visitor is served. */
afterEach(async () => {
  const nothingLeft = async (): Promise<void> => {
    assert.equal(await freePlaces(), places);
    assert.equal(await gateway.stored(), before);
  };
  await vi.waitFor(nothingLeft, { timeout: 10_000 });
  const body = new Uint8Array(uploadForm(gateway.workflow));
  const headers = { 'content-type': formType, accept: 'application/json' };
  assert.equal((await fetch(`${gateway.url}/upload`, { method: 'POST', headers, body })).status, 202);
  assert.equal((await fetch(`${gateway.url}/health`)).status, 200);
  assert.deepEqual(gateway.errors, []);
});

const workflow = (): Buffer => field('workflow_id', gateway.workflow);

describe('a body that stops coming', () => {
  it.each<[string, () => Piece[]]>([
    ['an upload, before its file', () => [form('/upload', 5000), workflow()]],
    ['an upload, in the first bytes of its file', () => [form('/upload', 5000), filePart(evtx(400)).subarray(0, 300)]],
    ['an upload, in its file', () => [form('/upload', mebibyte), filePart(evtx(mebibyte)).subarray(0, 300_000)]],
    ['an upload, after its file', () => [form('/upload', 5000), workflow(), filePart(evtx(900))]],
    ['an upload that asked to send', () => [head('POST /upload', { 'Content-Length': 500, Expect: '100-continue' })]],
    ['a preview', () => [form('/detect-preview', 5000), filePart(evtx(400)).subarray(0, 300)]],
    ['fields', () => [json(500), '{"username":"']],
    ['chunks', () => [chunked('/auth/cookie/login', 'application/json'), '5\r\n{"use\r\n']],
  ])('ends with the connection: %s', async (_, pieces) => {
    const { statuses } = await exchange(pieces());
    expect(statuses.filter((status) => status !== 100 && (status < 400 || status > 499))).toEqual([]);
  });

  it('ends with the connection: bytes that were announced', async () => {
    const announced = JSON.stringify({ filename: 'x.evtx', size_bytes: mebibyte, sha256: '0'.repeat(64) });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${gateway.url}/uploads`, { method: 'POST', headers, body: announced });
    const { url } = (await answer.json()) as { url: string };
    const { pathname, search } = new URL(url);
    const put = head(`PUT ${pathname}${search}`, { 'Content-Length': mebibyte });
    expect((await exchange([put, evtx(200_000)])).statuses).toEqual([]);
  });

  it('trickles no longer than others may take, where it is read into memory', async () => {
    const socket = connect(gateway.port, '127.0.0.1');
    const closed = new Promise<void>((resolve) => {
      socket.on('close', () => resolve());
      socket.on('error', () => undefined);
      socket.resume();
    });
    socket.write(form('/detect-preview', 200_000));
    const trickle = setInterval(() => socket.write('x'), 100);
    await closed;
    clearInterval(trickle);
  });
});

describe('a body that breaks off', () => {
  it.each([0, 20, 200, 700])('after %i of its bytes is a bad request', async (sent) => {
    const whole = uploadForm(gateway.workflow);
    const { statuses } = await exchange([form('/upload', whole.length), whole.subarray(0, sent)], { hangUp: true });
    expect(statuses.filter((status) => status !== 400)).toEqual([]);
  });
});

describe('a length that lies', () => {
  it('is taken at its word when more is sent, and the rest for what it is', async () => {
    const whole = Buffer.concat([workflow(), filePart(evtx(700)), formEnd]);
    const { statuses } = await exchange([form('/upload', whole.length - 300), whole]);
    expect(new Set(statuses)).toEqual(new Set([400]));
  });

  it.each([
    ['-1', 400],
    ['0x10', 400],
    ['1e3', 400],
    ['12abc', 400],
    ['99999999999999999999999', 400],
    ['9007199254740993', 413],
    ['3145729', 413],
  ])('of %s is refused', async (length, expected) => {
    const { statuses } = await exchange([head('POST /upload', { 'Content-Type': formType, 'Content-Length': length })]);
    expect(statuses).toEqual([expected]);
  });

  it('twice is refused', async () => {
    const twice = `POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello`;
    expect((await exchange([twice])).statuses).toEqual([400]);
  });

  it.each([
    ['/detect-preview', 256 * 1024],
    ['/upload', 3 * mebibyte],
  ])('over the limit of %s is refused by itself', async (path, limit) => {
    const { statuses, text } = await exchange([form(path, limit + 1)]);
    expect([statuses, /"code":"(\w+)"/.exec(text)?.[1]]).toEqual([[413], 'too_large']);
  });

  it('at the limit of the preview is fine', async () => {
    const rest = Buffer.concat([filePart(new Uint8Array(0)), formEnd]).length;
    const whole = Buffer.concat([filePart(evtx(256 * 1024 - rest)), formEnd]);
    expect(whole.length).toBe(256 * 1024);
    expect((await exchange([form('/detect-preview', whole.length), whole])).statuses).toEqual([200]);
  });
});

describe('a flood', () => {
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;

  it.each([
    ['/upload', formType, 411],
    ['/api/v1/jobs', formType, 411],
    ['/detect-preview', formType, 411],
    ['/auth/cookie/login', 'application/json', 413],
    ['/auth/cookie/logout', 'application/json', 413],
    ['/nothing', 'text/plain', 404],
  ])('of chunks to %s is answered and cut off', async (path, type, status) => {
    const { statuses } = await exchange([chunked(path, type)], { flood: chunk });
    // The answer may be lost with the connection, since its sender did not listen.
    expect(statuses.filter((each) => each !== status && !(path.endsWith('logout') && each === 204))).toEqual([]);
  });

  it('of bytes beyond a declared length is cut off', async () => {
    const { statuses } = await exchange([json(10), '{"a":"b"} '], { flood: 'x'.repeat(65_536) });
    expect(statuses.filter((each) => each !== 400)).toEqual([]);
  });

  it('of fields is refused', async () => {
    const fields = Array.from({ length: 10_000 }, (_, at) => field(`f${at}`, 'x'));
    const whole = Buffer.concat([...fields, filePart(evtx()), formEnd]);
    const { statuses, text } = await exchange([form('/upload', whole.length), whole]);
    expect(statuses).toEqual([400]);
    expect(text).toContain('too many fields');
    const urlencoded = Array.from({ length: 10_000 }, (_, at) => `f${at}=x`).join('&');
    const type = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': urlencoded.length };
    const login = await exchange([head('POST /auth/cookie/login', type), urlencoded]);
    expect(login.statuses).toEqual([400]);
  });

  it('of files is refused', async () => {
    const whole = Buffer.concat([...Array.from({ length: 5000 }, () => filePart(evtx(20))), formEnd]);
    const { statuses } = await exchange([form('/upload', whole.length), whole]);
    expect(statuses).toEqual([400]);
  });

  it('of headers of a part is refused', async () => {
    const many = Array.from({ length: 20_000 }, (_, at) => `X-${at}: y\r\n`).join('');
    const whole = Buffer.concat([
      part(`name="file"; filename="x"\r\n${many}X: y`, evtx()),
      field('workflow_id', '0'),
      formEnd,
    ]);
    const { statuses } = await exchange([form('/upload', whole.length), whole]);
    expect(statuses).toEqual([400]);
  });

  it('of headers is refused', async () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`X-${at}`, 'y']));
    expect((await exchange([head('GET /health', many)])).statuses).toEqual([431]);
    expect((await exchange([head('GET /health', { Cookie: 'a='.padEnd(100_000, 'x') })])).statuses).toEqual([431]);
  });
});

describe('nonsense', () => {
  it.each([
    ['no boundary', 'multipart/form-data'],
    ['an empty boundary', 'multipart/form-data; boundary='],
    ['a huge boundary', `multipart/form-data; boundary=${'x'.repeat(2000)}`],
    ['a boundary that never comes', 'multipart/form-data; boundary=other'],
  ])('as a form with %s is refused', async (_, type) => {
    const whole = uploadForm(gateway.workflow);
    const { statuses } = await exchange([
      head('POST /upload', { 'Content-Type': type, 'Content-Length': whole.length }),
      whole,
    ]);
    expect(statuses).toEqual([400]);
  });

  it.each(['zz\r\nhello\r\n', '-5\r\nhello\r\n', 'fffffffffffffffff\r\nhello', '5\r\nhello world\r\n'])(
    'as a chunk (%j) is refused',
    async (chunk) => {
      const { statuses } = await exchange([chunked('/auth/cookie/login', 'application/json'), chunk]);
      expect(statuses).toEqual([400]);
    },
  );

  it('as bytes is refused', async () => {
    for (const bytes of [evtx(5000), '\r\n\r\n\r\nGET\r\n\r\n', '\u0016\u0003\u0001\u0002\0\u0001'.repeat(50)]) {
      const { statuses } = await exchange([bytes]);
      expect(statuses.filter((status) => status !== 400)).toEqual([]);
    }
  });
});

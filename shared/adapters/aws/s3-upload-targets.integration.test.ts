import { HeadObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import type { UploadTargets } from '@svc/application/ports/upload-targets.ts';
import { fileHeaders } from '@svc/application/report/download.ts';
import { readEnvironment } from '@svc/config';
import { createHash, randomBytes } from 'node:crypto';
import { createServer, request, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeWith } from '../../../test/support/programs.ts';
import { startS3, type S3Server } from '../../../test/support/s3-server.ts';
import { OwnUploadTargets } from '../local/own-upload-targets.ts';
import { lazyUploadTargets } from './lazy-upload-targets.ts';
import { s3Client } from './s3-client.ts';
import { s3SettingsOf } from './s3-settings.ts';
import { holdsToSignatures } from './s3-signature-check.ts';
import { S3UploadTargets } from './s3-upload-targets.ts';

const log = {
  debug: () => {},
  info: () => {},
  warn: (message: string) => void warnings.push(message),
  error: () => {},
};
let warnings: string[] = [];
const bytes = randomBytes(100_000);

// LocalStack checks signatures, what they cover, their age, and checksums, as AWS does. Only AWS itself ends a
// request that announces more bytes than it sends (RequestTimeout); here the client's own connection is the limit.
describeWith('s3', 'presigned uploads to S3', () => {
  let s3: S3Server;
  let client: S3Client;
  let targets: Pick<UploadTargets, 'presignPut'>;
  beforeAll(async () => {
    s3 = await startS3();
    client = s3Client(s3SettingsOf(readEnvironment(s3.env)));
    targets = new S3UploadTargets(client, s3.bucket);
  });
  beforeEach(() => {
    warnings = [];
  });
  afterAll(async () => {
    client.destroy();
    await s3.remove();
  });

  /** A target for `bytes`. */
  async function target(lifeMs = 60_000): Promise<{ key: string; url: string; headers: OutgoingHttpHeaders }> {
    const { key, url, headers } = await targets.presignPut({
      uploadId: 'x',
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      suffix: '.bin',
      expiresAt: new Date(Date.now() + lifeMs),
    });
    return { key: key ?? '', url, headers };
  }

  const stored = (key: string): Promise<boolean> =>
    s3.client.send(new HeadObjectCommand({ Bucket: s3.bucket, Key: key })).then(
      () => true,
      () => false,
    );

  it('takes the very bytes that were signed, once', async () => {
    const { key, url, headers } = await target();
    expect(await put(url, bytes, headers)).toBe(200);
    // What tells the page that the bytes are there.
    expect(await put(url, bytes, headers)).toBe(412);
    const { 'if-none-match': _once, ...rest } = headers;
    expect(await put(url, bytes, rest)).toBe(403);
    const { ContentLength } = await s3.client.send(new HeadObjectCommand({ Bucket: s3.bucket, Key: key }));
    expect(ContentLength).toBe(bytes.length);
  });

  it('takes an empty file', async () => {
    const sha256 = createHash('sha256').digest('hex');
    const expiresAt = new Date(Date.now() + 60_000);
    const empty = await targets.presignPut({ uploadId: 'x', sizeBytes: 0, sha256, suffix: '.bin', expiresAt });
    expect(await put(empty.url, Buffer.alloc(0), empty.headers)).toBe(200);
    expect(await stored(empty.key ?? '')).toBe(true);
  });

  const others = randomBytes(bytes.length);
  const sumOf = (content: Buffer): string => createHash('sha256').update(content).digest('base64');
  it.each<[string, (sent: Awaited<ReturnType<typeof target>>) => Promise<number>, number]>([
    ['other bytes', ({ url, headers }) => put(url, others, headers), 400],
    [
      'other bytes under their own digest',
      ({ url }) => put(url, others, { 'x-amz-checksum-sha256': sumOf(others) }),
      403,
    ],
    ['no digest', ({ url }) => put(url, bytes, {}), 403],
    ['more bytes', ({ url, headers }) => put(url, Buffer.concat([bytes, bytes]), headers), 403],
    ['fewer bytes', ({ url, headers }) => put(url, bytes.subarray(1), headers), 403],
    ['an unknown length', ({ url, headers }) => put(url, bytes, { ...headers, 'transfer-encoding': 'chunked' }), 403],
    ['another name', ({ key, url, headers }) => put(url.replace(key, `${'0'.repeat(32)}.bin`), bytes, headers), 403],
    ['a longer life', ({ url, headers }) => put(url.replace('Expires=30', 'Expires=600'), bytes, headers), 403],
    [
      'another signature',
      ({ url, headers }) => put(url.replace(/Signature=.{8}/, 'Signature=01234567'), bytes, headers),
      403,
    ],
    ['fewer signed headers', ({ url, headers }) => put(url.replace('content-length%3B', ''), bytes, headers), 403],
  ])('refuses %s', async (_what, send, status) => {
    const sent = await target();
    expect(await send(sent)).toBe(status);
    expect(await stored(sent.key)).toBe(false);
  });

  it('leads to an object for a while, to be saved under its name', async () => {
    const { key, url, headers } = await target();
    await put(url, bytes, headers);
    const settings = s3SettingsOf(readEnvironment(s3.env));
    const reached = { ...settings, publicEndpoint: settings.endpoint };
    const lazy = lazyUploadTargets({ settings: reached, own: new OwnUploadTargets('key'), log });
    const link = (lifeMs: number): Promise<string | null> =>
      lazy.presignGet({ key, headers: fileHeaders('Sécurité.evtx'), expiresAt: new Date(Date.now() + lifeMs) });
    const answer = await fetch((await link(60_000))!);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; .*filename\*=UTF-8''S%C3%A9curit%C3%A9\.evtx$/,
    );
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    const brief = (await link(1000))!;
    await sleep(2100);
    expect((await fetch(brief)).status).toBe(403);
  });

  it('refuses what comes too late', async () => {
    const { key, url, headers } = await target(1000);
    await sleep(2100);
    expect(await put(url, bytes, headers)).toBe(403);
    expect(await stored(key)).toBe(false);
  });

  it('is trusted with uploads, and the proof leaves nothing behind', async () => {
    const before = await s3.client.send(new ListObjectsV2Command({ Bucket: s3.bucket }));
    expect(await holdsToSignatures(targets, client, s3.bucket)).toBe(true);
    expect((await s3.client.send(new ListObjectsV2Command({ Bucket: s3.bucket }))).KeyCount).toBe(before.KeyCount);
    const settings = { ...s3SettingsOf(readEnvironment(s3.env)), publicEndpoint: 'https://files.example.org' };
    const lazy = lazyUploadTargets({ settings, own: new OwnUploadTargets('key'), log });
    const { url } = await lazy.presignPut({
      uploadId: 'x',
      sizeBytes: 1,
      sha256: 'ab'.repeat(32),
      suffix: '.bin',
      expiresAt: new Date(Date.now() + 60_000),
    });
    expect(url).toMatch(/^https:\/\/files\.example\.org\/svc-test\/[0-9a-f]{32}\.bin\?/);
    expect(warnings).toEqual([]);
  });

  it('is not trusted where the store passes over what was signed: files go through the service', async () => {
    const store = createServer((asked, answer) => asked.resume().on('end', () => answer.end()));
    await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
    const settings = { ...s3SettingsOf(readEnvironment(s3.env)), endpoint, publicEndpoint: endpoint };
    const lazy = lazyUploadTargets({ settings, own: new OwnUploadTargets('key'), log });
    const upload = { uploadId: 'x', sizeBytes: 1, sha256: 'ab'.repeat(32), suffix: '.bin', expiresAt: new Date() };
    expect((await lazy.presignPut(upload)).url).toMatch(/^\/api\/uploads\//);
    expect(warnings).toHaveLength(1);
    store.closeAllConnections();
    await new Promise((resolve) => store.close(resolve));
    const away = lazyUploadTargets({ settings, own: new OwnUploadTargets('key'), log });
    await expect(away.presignPut(upload)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

/** By node:http, which sends what it is told. */
function put(url: string, body: Buffer, headers: OutgoingHttpHeaders): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = 'transfer-encoding' in headers ? {} : { 'content-length': body.length };
    const sending = request(url, { method: 'PUT', headers: { ...headers, ...length } });
    sending.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as send, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite } from './static-files.ts';

let folder = '';
let built: Server;
let unbuilt: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-web-'));
  const web = join(folder, 'web');
  await mkdir(join(web, 'assets'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(web, 'index.html'), '<title>shell</title>');
  await writeFile(join(web, 'favicon.svg'), '<svg/>');
  await writeFile(join(web, 'assets/app-1a2b.js'), 'plain');
  await writeFile(join(web, 'assets/app-1a2b.js.br'), 'brotli');
  await writeFile(join(web, 'assets/app-1a2b.js.gz'), 'gzipped');
  built = await serving(web);
  unbuilt = await serving(join(folder, 'nothing'));
});

afterAll(async () => {
  built.close();
  unbuilt.close();
  await rm(folder, { recursive: true });
});

async function serving(web: string): Promise<Server> {
  const site = await openSite(web, { 'x-always': 'yes' });
  const server = createServer((request, response) => {
    void site.send(request.url!, request, response).then((sent) => sent || response.writeHead(404).end('none'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** By node:http, which sends a path as it is, and decodes nothing. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET', server = built): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const request = send({ port, host: '127.0.0.1', path, headers, method }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() }),
      );
    });
    request.on('error', reject);
    request.end();
  });
}

describe('pages', () => {
  it.each(['/', '/jobs', '/jobs/7', '/index.html', '/login'])('%s gets the shell, unstored', async (path) => {
    const { status, headers, body } = await ask(path, { accept: 'text/html' });
    expect([status, body]).toEqual([200, '<title>shell</title>']);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store, private',
      vary: 'Cookie, Accept, Accept-Encoding',
      'x-always': 'yes',
    });
    expect(headers['x-request-id']).toBeDefined();
  });
});

describe('files', () => {
  it('that are hashed last for ever, others an hour', async () => {
    const asset = await ask('/assets/app-1a2b.js');
    expect([asset.status, asset.body]).toEqual([200, 'plain']);
    expect(asset.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': '5',
    });
    const icon = await ask('/favicon.svg');
    expect(icon.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=3600' });
  });

  it.each([
    ['gzip, deflate, br', 'br', 'brotli'],
    ['gzip', 'gzip', 'gzipped'],
    ['br;q=0, gzip;q=0.5', 'gzip', 'gzipped'],
    ['br;q=0.0', undefined, 'plain'],
    ['identity', undefined, 'plain'],
  ])('are sent compressed to who accepts %s', async (accepted, encoding, body) => {
    const answer = await ask('/assets/app-1a2b.js', { 'accept-encoding': accepted });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers.vary).toBe('Accept-Encoding');
    expect(answer.body).toBe(body);
  });

  it('answer HEAD with their headers alone', async () => {
    const { status, headers, body } = await ask('/assets/app-1a2b.js', {}, 'HEAD');
    expect([status, headers['content-length'], body]).toEqual([200, '5', '']);
  });

  it.each([
    '/assets/missing.js',
    '/missing.txt',
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/..\\secret.txt',
    '/%2e%2e%2fsecret',
    '//secret.txt',
    '/assets/',
    '/index.html/../../secret.txt',
    '/.well-known/x',
  ])('%s is none', async (path) => {
    const { status, body } = await ask(path);
    expect(body).not.toContain('secret');
    expect(status).toBe(404);
  });

  it('are for reading only', async () => {
    expect((await ask('/assets/app-1a2b.js', {}, 'POST')).status).toBe(404);
  });
});

it('says what to do when the interface is not built', async () => {
  const { status, headers, body } = await ask('/', {}, 'GET', unbuilt);
  expect(status).toBe(503);
  expect(headers['content-type']).toContain('text/html');
  expect(body).toContain('npm start');
});

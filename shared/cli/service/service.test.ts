import { operations, RequestError } from '@svc/contracts';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ConnectionError, CredentialsError } from './service-error.ts';
import { Service } from './service.ts';

const { signal } = new AbortController();
const token = 'svc_secret';
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serviceThat(answers: RequestListener): Promise<Service> {
  server = createServer(answers).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return new Service({ url, token, insecureHttp: false });
}

const problem = (code: string) => JSON.stringify({ detail: 'No.', code, request_id: 'r1' });
const workflows = (service: Service) => service.call(operations.listWorkflows, {}, { signal });

async function bytesOf(request: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const chunk of request) bytes += (chunk as Buffer).length;
  return bytes;
}

async function* zeros(count: number, chunk = 65_536): AsyncGenerator<Uint8Array> {
  for (let left = count; left > 0; left -= chunk) yield new Uint8Array(Math.min(left, chunk));
}

describe('a call', () => {
  it('carries the token and the key', async () => {
    let seen: IncomingMessage['headers'] = {};
    const service = await serviceThat((request, response) => {
      seen = request.headers;
      response.end('{"workflows":[]}');
    });
    await service.call(operations.listWorkflows, {}, { signal, idempotencyKey: 'k' });
    expect(seen).toMatchObject({ authorization: `Bearer ${token}`, 'idempotency-key': 'k' });
  });

  it.each([
    ['bad_token', 401],
    ['missing_scope', 403],
  ])('tells a refusal of the token (%s) from others', async (code, status) => {
    const service = await serviceThat((_, response) => response.writeHead(status).end(problem(code)));
    await expect(workflows(service)).rejects.toThrow(CredentialsError);
  });

  it('gives other refusals as they are', async () => {
    const service = await serviceThat((_, response) => response.writeHead(403).end(problem('demo_mode')));
    await expect(workflows(service)).rejects.toThrow(RequestError);
  });

  it('tells that nothing answers, and that an answer was cut', async () => {
    const service = await serviceThat((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"work', () => response.destroy());
    });
    await expect(workflows(service)).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:\d+: the connection was lost \(UND_ERR_SOCKET\)$/,
    );
    server!.close();
    await once(server!, 'close');
    await expect(workflows(service)).rejects.toThrow('nothing answers there');
  });

  it('takes what is no service for none, for good', async () => {
    const service = await serviceThat((_, response) => response.end('<html>'));
    await expect(workflows(service)).rejects.toMatchObject({ isFinal: true, message: /right address/ });
  });

  it('follows no redirection, least of all with the token', async () => {
    let calls = 0;
    const service = await serviceThat((_, response) => {
      calls++;
      response.writeHead(307, { location: 'https://elsewhere.example.org/' }).end();
    });
    await expect(workflows(service)).rejects.toMatchObject({ isFinal: true, message: /elsewhere\.example\.org/ });
    const put = service.put({ url: '/slot', headers: {} }, { bytes: 1, chunks: () => zeros(1) }, signal);
    await expect(put).rejects.toMatchObject({ isFinal: true, message: /sends files elsewhere/ });
    expect(calls).toBe(2);
  });

  it('never has the token in an error', async () => {
    const service = await serviceThat((_, response) => response.writeHead(401).end(problem('bad_token')));
    const error = await workflows(service).catch((thrown: unknown) => thrown);
    expect(`${(error as Error).message}${(error as Error).stack}`).not.toContain(token);
  });
});

describe('the sending of a file', () => {
  it('declares its length, and leaves the token out', async () => {
    const seen: [IncomingMessage['headers'], number][] = [];
    const service = await serviceThat((request, response) => {
      void bytesOf(request).then((bytes) => {
        seen.push([request.headers, bytes]);
        return response.writeHead(204).end();
      });
    });
    const target = { url: '/slot', headers: { 'x-signed': 'yes' } };
    for (const bytes of [3_000_000, 0]) {
      await service.put(target, { bytes, chunks: () => zeros(bytes) }, signal);
    }
    expect(seen.map(([, bytes]) => bytes)).toEqual([3_000_000, 0]);
    for (const [headers, bytes] of seen) {
      expect(headers).toMatchObject({ 'content-length': String(bytes), 'x-signed': 'yes' });
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('transfer-encoding');
    }
  });

  it('keeps nothing of what it has sent', async () => {
    const service = await serviceThat((request, response) => {
      void bytesOf(request).then(() => response.writeHead(204).end());
    });
    const bytes = 400_000_000;
    let most = 0;
    const chunks = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of zeros(bytes, 1_000_000)) {
        most = Math.max(most, process.memoryUsage().arrayBuffers);
        yield chunk;
      }
    };
    const before = process.memoryUsage().arrayBuffers;
    await service.put({ url: '/slot', headers: {} }, { bytes, chunks }, signal);
    expect(most - before).toBeLessThan(bytes / 2);
  });

  it('sees a refusal that comes before its end', async () => {
    const service = await serviceThat((_, response) => {
      response.writeHead(507, { connection: 'close' }).end(problem('low_space'));
    });
    const content = { bytes: 50_000_000, chunks: () => zeros(50_000_000) };
    await expect(service.put({ url: '/slot', headers: {} }, content, signal)).rejects.toMatchObject({ status: 507 });
  });

  it('tells a cut connection from a file that cannot be read', async () => {
    const service = await serviceThat((request) => request.once('data', () => request.destroy()));
    const target = { url: '/slot', headers: {} };
    const content = { bytes: 50_000_000, chunks: () => zeros(50_000_000) };
    await expect(service.put(target, content, signal)).rejects.toThrow(ConnectionError);
    const broken = new Error('the disk is gone');
    // oxlint-disable-next-line require-yield -- what matters is that it fails
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      throw broken;
    };
    await expect(service.put(target, { bytes: 9, chunks: failing }, signal)).rejects.toBe(broken);
  });

  it('comes by the way that was named, whatever the service behind a proxy takes for its address', async () => {
    const paths: (string | undefined)[] = [];
    const service = await serviceThat((request, response) => {
      paths.push(request.url);
      request.resume().once('end', () => response.writeHead(204).end());
    });
    const below = new Service({ url: `${service.url}/svc`, token, insecureHttp: false });
    const { host } = new URL(service.url);
    for (const url of ['/slot?a=1', `https://${host}/slot`]) {
      await below.put({ url, headers: {} }, { bytes: 1, chunks: () => zeros(1) }, signal);
    }
    expect(paths).toEqual(['/svc/slot?a=1', '/svc/slot']);
  });

  it('goes over plain http to no other machine', async () => {
    const service = new Service({ url: 'https://svc.example.org', token, insecureHttp: false });
    const target = { url: 'http://store.example.org/slot', headers: {} };
    await expect(service.put(target, { bytes: 1, chunks: () => zeros(1) }, signal)).rejects.toThrow(CredentialsError);
  });

  it('ends with its signal', async () => {
    const service = await serviceThat((request) => void request.resume());
    const stop = new AbortController();
    const content = { bytes: 1e9, chunks: () => zeros(1e9) };
    const put = service.put({ url: '/slot', headers: {} }, content, stop.signal);
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(put).rejects.toThrow('enough');
  });
});

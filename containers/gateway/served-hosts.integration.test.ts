import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGateway, type OpenGateway } from '../../test/support/open-gateway.ts';

let service: OpenGateway;
beforeAll(async () => {
  service = await openGateway({
    deployment: {
      http: { host: '127.0.0.1', port: 0, servedHosts: ['logs.example.org'], trustedProxies: ['127.0.0.1'] },
    },
  });
});
afterAll(() => service.close());

/** Status and body of an answer to a request with these headers, sent as they are. */
async function ask(line: string, headers: readonly string[], body = ''): Promise<string> {
  const socket = connect(service.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`${line}\r\n${[...headers, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`);
  return text(socket);
}

const list = 'GET /api/v1/workflows HTTP/1.1';

describe('a service of one machine', () => {
  it.each([
    ['localhost'],
    ['LocalHost:8000'],
    ['localhost.'],
    ['svc.localhost:8000'],
    ['127.0.0.1:8000'],
    ['127.8.9.10'],
    ['[::1]:8000'],
    // Browsers go to an address itself, whatever any DNS says.
    ['192.168.7.1:8000'],
    ['[fd00::1]'],
    ['logs.example.org'],
    ['LOGS.example.org.:8443'],
  ])('answers to %j', async (host) => expect(await ask(list, [`Host: ${host}`])).toMatch(/^HTTP\/1\.1 200 /));

  it.each([
    ['rebound.example:8000'],
    ['localhost.rebound.example'],
    ['127.0.0.1.nip.example'],
    ['notlocalhost'],
    ['example.org'],
    ['evil.logs.example.org'],
    ['localhost:8000@rebound.example'],
    ['rebound.example/localhost'],
    ['localhost, rebound.example'],
    ['[::1'],
    [''],
  ])('does not answer to %j', async (host) => {
    for (const line of [list, 'GET / HTTP/1.1', 'GET /nowhere HTTP/1.1', 'GET /health/x HTTP/1.1']) {
      const answer = await ask(line, [`Host: ${host}`, 'Accept: text/html', 'X-Request-ID: mine']);
      expect(answer).toMatch(/^HTTP\/1\.1 403 /);
      expect(answer).toMatch(/"detail":"This service is not known by [^"]*ALLOWED_HOSTS[^"]*","code":"forbidden"/);
      expect(answer).toMatch(/x-content-type-options: nosniff[^]*x-request-id: mine/i);
    }
  });

  it('is not deceived by a second name', async () => {
    expect(await ask(list, ['Host: rebound.example', 'Host: localhost'])).toMatch(/ 403 /);
    // The page says what a proxy would.
    expect(await ask(list, ['Host: rebound.example', 'X-Forwarded-Host: localhost'])).toMatch(/ 403 /);
    expect(await ask(list, ['Host: localhost', 'X-Forwarded-Host: rebound.example'])).toMatch(/ 403 /);
    expect(await ask(list, ['Host: localhost', 'X-Forwarded-Host: logs.example.org'])).toMatch(/ 200 /);
  });

  it('stores nothing of what is sent to another name', async () => {
    const form =
      `--b\r\nContent-Disposition: form-data; name="file"; filename="a.evtx"\r\n\r\nElfFile\0${'\0'.repeat(120)}\r\n` +
      `--b\r\nContent-Disposition: form-data; name="workflow_id"\r\n\r\n${service.workflow}\r\n--b--\r\n`;
    const upload = (host: string): Promise<string> =>
      ask(
        'POST /upload HTTP/1.1',
        [
          `Host: ${host}`,
          'Content-Type: multipart/form-data; boundary=b',
          `Content-Length: ${Buffer.byteLength(form)}`,
        ],
        form,
      );
    expect(await upload('rebound.example')).toMatch(/ 403 /);
    expect(await service.stored()).toBe(0);
    expect(await upload('localhost')).toMatch(/^HTTP\/1\.1 20\d /);
    expect(await service.stored()).toBe(1);
  });

  it('tells its health under any name, and answers programs that name none', async () => {
    expect(await ask('GET /health HTTP/1.1', ['Host: balancer.example'])).toMatch(/ 200 /);
    expect(await ask('GET /api/v1/workflows HTTP/1.0', [])).toMatch(/ 200 /);
  });
});

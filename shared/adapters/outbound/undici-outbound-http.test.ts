import { OutboundError, outboundPurposes, type OutboundRequest } from '@svc/application/ports/outbound-http.ts';
import { withFetchedPack } from '@svc/application/rules/fetch-pack.ts';
import { readEnvironment } from '@svc/config';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { buildConnector } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { certificate, certificateKey } from '../testing/tls-certificate.ts';
import { type Network, pinnedTo, systemNetwork } from './network.ts';
import { outboundPolicies } from './policies.ts';
import { UndiciOutboundHttp } from './undici-outbound-http.ts';

const publicAddress = '93.184.215.14';
const policies = outboundPolicies(readEnvironment({}));

let connections = 0;
let received: IncomingMessage[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const listener = (request: IncomingMessage, response: ServerResponse): void => {
  received.push(request);
  answer(request, response);
};
const plain = createServer(listener);
const secure = createTlsServer({ cert: certificate, key: certificateKey }, listener);
const portOf = (server: Server): number => (server.address() as AddressInfo).port;
let base = '';

/** Addresses by name; a list of lists answers each look-up differently. */
let names: Record<string, readonly string[]> = {};
let lookups: string[] = [];
let dialled: string[] = [];
/** The whole world on this machine: wherever a connection is to go, it gets to the local server. */
const world: Network = {
  resolve: async (hostname) => {
    lookups.push(hostname);
    const found = names[hostname];
    if (!found) throw Object.assign(new Error('queryA ENOTFOUND secret'), { code: 'ENOTFOUND' });
    return found;
  },
  connector: (address, timeout) => (options, done) => {
    dialled.push(address);
    const connect = buildConnector({ timeout, ca: certificate, lookup: pinnedTo('127.0.0.1') });
    if (address === '198.51.100.99') done(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), null);
    else connect(/^[\d.]+$|:/.test(options.hostname) ? { ...options, hostname: '127.0.0.1' } : options, done);
  },
};
const outbound = new UndiciOutboundHttp(policies, world);

beforeAll(async () => {
  for (const server of [plain, secure]) {
    server.on('connection', () => (connections += 1));
    await once(server.listen(0, '127.0.0.1'), 'listening');
  }
  base = `http://good.test:${portOf(plain)}`;
});
afterAll(() => [plain, secure].forEach((server) => server.close().closeAllConnections()));
beforeEach(() => {
  [connections, received, lookups, dialled] = [0, [], [], []];
  names = { 'good.test': [publicAddress], 'svc.test': [publicAddress], 'other.test': [publicAddress] };
  answer = (_request, response) => response.end('hello');
});

const get = (url: string, more: Partial<OutboundRequest> = {}): Promise<[number, string]> =>
  outbound.send({ purpose: 'enrichment', url, method: 'GET', ...more }, async ({ status, body }) => [
    status,
    await text(body),
  ]);
/** Code and text of a refusal. */
const refusal = async (sending: Promise<unknown>): Promise<string> => {
  const error: unknown = await sending.then(
    (value) => new Error(`answered ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof OutboundError)) throw error;
  expect(error.cause).toBeUndefined();
  return `${error.code}: ${error.message}`;
};

describe('hosts that are refused', () => {
  const loopback = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '0x7f.1',
    '127.0.0.1.',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '127.0.0.1\\@public.example',
    'localhost',
    'LOCALHOST.',
    'localtest.example',
  ];
  const metadata = [
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.43518',
    '169.254.169.254.',
    '169.254.170.2',
    '169.254.170.23',
    '100.100.100.200',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
    '[::a9fe:a9fe]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:a9fe:a9fe::1]',
    '[fd00:ec2::254]',
    '[fe80::a9fe:a9fe]',
    '0.0.0.0',
    '0',
    '[::]',
    'metadata.google.internal',
    'METADATA.google.internal.',
    'ｍetadata.google.internal',
    'metadata',
    'instance-data',
    'rebound.example',
    'mapped.example',
    'mixed.example',
    'zone.example',
  ];
  beforeEach(() => {
    names = {
      localhost: ['127.0.0.1', '::1'],
      'localtest.example': ['127.0.0.1'],
      'metadata.google.internal': [publicAddress],
      metadata: [publicAddress],
      'instance-data': [publicAddress],
      'rebound.example': ['169.254.169.254'],
      'mapped.example': ['::ffff:169.254.169.254'],
      // One bad address spoils the name: which of them is taken is for nobody else to choose.
      'mixed.example': [publicAddress, '169.254.169.254'],
      'zone.example': ['fe80::1%lo'],
    };
  });

  it.each([...loopback, ...metadata])('http://%s, where only the public is allowed', async (host) => {
    const url = `http://${host}:${portOf(plain)}/`;
    const strict = outboundPolicies(
      readEnvironment({ WEBHOOK_REQUIRE_PUBLIC_HOST: 'true', AI_REQUIRE_PUBLIC_HOST: 'true' }),
    );
    const guard = new UndiciOutboundHttp(strict, world);
    for (const purpose of outboundPurposes) {
      const sending = guard.send({ purpose, url, method: 'GET' }, ({ status }) => status);
      expect([purpose, await refusal(sending)]).toEqual([purpose, expect.stringMatching(/^refused_address: /)]);
    }
    expect(dialled).toEqual([]);
    expect(connections).toBe(0);
  });

  it.each(metadata)('http://%s, for every purpose', async (host) => {
    for (const purpose of outboundPurposes) {
      expect(await refusal(get(`http://${host}:${portOf(plain)}/`, { purpose }))).toMatch(/^refused_address: /);
    }
    expect(connections).toBe(0);
  });

  it.each(['10.0.0.1', '192.168.1.1', '100.64.0.1', '192.0.2.1', '198.18.0.1', '[fd12::1]', '[2001:db8::1]'])(
    'http://%s, unless private networks are allowed',
    async (host) => {
      const url = `http://${host}:${portOf(plain)}/`;
      for (const purpose of ['enrichment', 'rule_list'] as const) {
        expect(await refusal(get(url, { purpose }))).toMatch(/is not a public address$/);
      }
      expect(connections).toBe(0);
      for (const purpose of ['webhook', 'ai'] as const) expect((await get(url, { purpose }))[0]).toBe(200);
    },
  );

  it.each([
    'ftp://good.test/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'data:text/plain,x',
    '//good.test/',
    'good.test',
    '',
    'http://',
    'http://[::1',
    'http://[fe80::1%25lo]/',
    'http://999.1.1.1/',
    'http://1.2.3.4.5/',
    'http://.../',
    'http://user@good.test/',
    'http://user:pass@good.test/',
    'http://good.test:pass@127.0.0.1/',
    'https://good.test:99999/',
    'https://good.test:0/',
  ])('what is no address to send to: %s', async (url) => {
    expect(await refusal(get(url))).toMatch(/^bad_url: /);
    expect(() => outbound.check('webhook', url)).toThrow(OutboundError);
    expect(lookups).toEqual([]);
  });

  it('when they are saved, as far as the address itself tells', () => {
    for (const host of metadata.filter((each) => !each.endsWith('.example'))) {
      expect(() => outbound.check('ai', `https://${host}/v1`)).toThrow(/metadata|link-local/);
    }
    expect(() => outbound.check('enrichment', 'http://0x7f.1/')).toThrow('127.0.0.1 is not a public address');
    expect(() => outbound.check('ai', 'http://127.0.0.1:11434/v1')).not.toThrow();
    expect(() => outbound.check('enrichment', 'https://vendor.example/api')).not.toThrow();
    expect(lookups).toEqual([]);
  });
});

describe('the connection', () => {
  it('goes to the address that was judged, whatever the name says next', async () => {
    let asked = 0;
    const rebinding: Network = {
      ...world,
      resolve: async () => [(asked += 1) === 1 ? publicAddress : '127.0.0.1'],
    };
    const guard = new UndiciOutboundHttp(policies, rebinding);
    const send = () => guard.send({ purpose: 'enrichment', url: base, method: 'GET' }, ({ status }) => status);
    expect(await send()).toBe(200);
    expect([asked, dialled]).toEqual([1, [publicAddress]]);
    expect(await refusal(send())).toMatch('good.test (127.0.0.1) is not a public address');
    expect(connections).toBe(1);
  });

  it('is made by the system to that address under the name’s Host', async () => {
    const guard = new UndiciOutboundHttp(policies, { ...systemNetwork, resolve: async () => ['127.0.0.1'] });
    const url = `http://no-such-name.invalid:${portOf(plain)}/a?b=c#d`;
    expect(await guard.send({ purpose: 'ai', url, method: 'GET' }, ({ status }) => status)).toBe(200);
    expect(received[0]).toMatchObject({ url: '/a?b=c', method: 'GET' });
    expect(received[0]!.headers.host).toBe(`no-such-name.invalid:${portOf(plain)}`);
  });

  it('is made by the system to this machine as well, where that is allowed', async () => {
    const guard = new UndiciOutboundHttp(policies);
    // The server listens on 127.0.0.1 only: where localhost is ::1 first, that one takes no connection.
    for (const host of ['127.0.0.1', '2130706433', 'localhost']) {
      const url = `http://${host}:${portOf(plain)}/`;
      expect(await guard.send({ purpose: 'ai', url, method: 'GET' }, ({ status }) => status)).toBe(200);
      expect(await refusal(guard.send({ purpose: 'enrichment', url, method: 'GET' }, () => 'sent'))).toMatch(
        /is not a public address$/,
      );
    }
    expect(connections).toBe(3);
  });

  it('tries the next address when one takes none, and never a second time once there was one', async () => {
    names['good.test'] = ['198.51.100.99', publicAddress];
    expect(await get(base, { purpose: 'ai' })).toEqual([200, 'hello']);
    expect(dialled).toEqual(['198.51.100.99', publicAddress]);
    names['good.test'] = [publicAddress, '93.184.215.15'];
    answer = (request) => request.socket.destroy();
    expect(await refusal(get(base, { method: 'POST', body: 'x' }))).toMatch(
      /^network_error: No answer from good\.test/,
    );
    expect(received).toHaveLength(2);
  });

  it('says what failed, by name and code alone', async () => {
    names['good.test'] = ['198.51.100.99'];
    const sent = { purpose: 'ai', headers: { authorization: 'Bearer t0ken' } } as const;
    expect(await refusal(get(`${base}/p4th`, sent))).toBe('network_error: No answer from good.test (ECONNREFUSED)');
    expect(await refusal(get('http://missing.test/'))).toBe('unresolved: missing.test has no address (ENOTFOUND)');
    names['empty.test'] = [];
    expect(await refusal(get('http://empty.test/'))).toBe('unresolved: empty.test has no address');
    names['good.test'] = [publicAddress];
    const headers = { authorization: 'Bearer t0ken\r\nx-injected: 1' };
    expect(await refusal(get(base, { headers }))).toBe('network_error: No answer from good.test (UND_ERR_INVALID_ARG)');
  });

  it('verifies the certificate against the name, not the address', async () => {
    const at = (host: string) => get(`https://${host}:${portOf(secure)}/`);
    expect(await at('svc.test')).toEqual([200, 'hello']);
    expect(await refusal(at('other.test'))).toMatch('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(received).toHaveLength(1);
    const distrusting = new UndiciOutboundHttp(policies, { ...systemNetwork, resolve: async () => ['127.0.0.1'] });
    const url = `https://svc.test:${portOf(secure)}/`;
    const sending = distrusting.send({ purpose: 'ai', url, method: 'GET' }, ({ status }) => status);
    expect(await refusal(sending)).toMatch('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(received).toHaveLength(1);
  });
});

describe('the request', () => {
  it('carries its body and headers, but none that say where it goes', async () => {
    let body = '';
    answer = (request, response) => void text(request).then((sent) => ((body = sent), response.end()));
    const headers = {
      'Content-Type': 'application/json',
      'X-Svc-Event': 'rule.match',
      Host: 'metadata.google.internal',
      'Transfer-Encoding': 'chunked',
      'Content-Length': '1',
      Connection: 'upgrade',
      Cookie: 'a=b',
      'Proxy-Authorization': 'x',
      'Accept-Encoding': 'gzip',
    };
    await get(base, { method: 'POST', body: '{"entities":[]}', headers });
    expect(body).toBe('{"entities":[]}');
    expect(received[0]!.headers).toMatchObject({
      host: `good.test:${portOf(plain)}`,
      'content-length': '15',
      'content-type': 'application/json',
      'x-svc-event': 'rule.match',
      'accept-encoding': 'identity',
    });
    for (const name of ['cookie', 'proxy-authorization', 'transfer-encoding']) {
      expect(received[0]!.headers).not.toHaveProperty(name);
    }
  });
});

describe('the answer', () => {
  it('is not followed elsewhere', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      answer = (_request, response) => response.writeHead(status, { location: 'http://169.254.169.254/' }).end();
      expect(await get(base)).toEqual([status, '']);
    }
    expect(lookups).toEqual(Array(5).fill('good.test'));
    expect(connections).toBe(5);
  });

  const cap = policies.enrichment.maxBytes;

  it('is read up to the cap and no further', async () => {
    answer = (_request, response) => response.end(Buffer.alloc(cap, 'x'));
    expect((await get(base))[1]).toHaveLength(cap);
    answer = (_request, response) => response.end(Buffer.alloc(cap + 1, 'x'));
    expect(await refusal(get(base))).toBe(`too_large: good.test answered with more than ${cap} bytes`);
  });

  it('without an end is cut off, and its sender with it', async () => {
    let closed = false;
    let sent = 0;
    answer = (_request, response) => {
      const more = (): void => {
        sent += 65_536;
        if (response.write(Buffer.alloc(65_536))) setImmediate(more);
        else response.once('drain', more);
      };
      response.on('close', () => (closed = true));
      more();
    };
    expect(await refusal(get(base))).toMatch(/^too_large/);
    await expect.poll(() => closed).toBe(true);
    expect(sent).toBeLessThan(64 * 1_048_576);
  });

  it('of a lying length is refused', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('12345');
      setTimeout(() => response.destroy(), 20);
    };
    expect(await refusal(get(base))).toMatch(/^network_error/);
  });

  it('is never decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    expect(await refusal(get(base))).toMatch(/^compressed/);
  });

  it('of a webhook is not read', async () => {
    let closed = false;
    answer = (_request, response) => {
      response.on('close', () => (closed = true));
      response.writeHead(202).write('secret of the receiver');
    };
    expect(await get(base, { purpose: 'webhook', method: 'POST', body: '{}' })).toEqual([202, '']);
    await expect.poll(() => closed).toBe(true);
  });

  it('arrives piece by piece', async () => {
    let go: () => void = () => undefined;
    answer = (_request, response) => {
      response.write('data: 1\n\n');
      go = () => void response.end('data: 2\n\n');
    };
    const pieces: string[] = [];
    await outbound.send({ purpose: 'ai', url: base, method: 'POST', body: '{}' }, async ({ body }) => {
      for await (const piece of body) {
        pieces.push(Buffer.from(piece).toString());
        go();
      }
    });
    expect(pieces).toEqual(['data: 1\n\n', 'data: 2\n\n']);
  });

  it('that is of no use any more closes its connection, and errors of its use come through', async () => {
    let closed = false;
    answer = (_request, response) => {
      response.on('close', () => (closed = true));
      response.write('x');
    };
    const sending = outbound.send({ purpose: 'ai', url: base, method: 'GET' }, () => {
      throw new TypeError('of the caller');
    });
    await expect(sending).rejects.toThrow(TypeError);
    await expect.poll(() => closed).toBe(true);
  });
});

describe('the deadline', () => {
  const late = 'timeout: good.test did not answer within 0.15 s';
  const drip: typeof answer = (_request, response) => {
    const timer = setInterval(() => response.write('x'), 10);
    response.on('close', () => clearInterval(timer));
  };

  const slowHead: typeof answer = ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
    const timer = setInterval(() => socket.write('x'), 10);
    socket.on('close', () => clearInterval(timer));
  };

  it.each<[string, typeof answer]>([
    ['no head', () => undefined],
    ['a slow body', drip],
    ['a slow head', slowHead],
  ])('ends %s', async (_name, behave) => {
    answer = behave;
    expect(await refusal(get(base, { timeoutMs: 150 }))).toBe(late);
  });

  it('ends a name that does not resolve and a host that does not connect', async () => {
    const never = () => new Promise<never>(() => undefined);
    const unresolved = new UndiciOutboundHttp(policies, { ...world, resolve: never });
    const unconnected = new UndiciOutboundHttp(policies, { ...world, connector: () => () => undefined });
    for (const guard of [unresolved, unconnected]) {
      const sending = guard.send({ purpose: 'ai', url: base, method: 'GET', timeoutMs: 150 }, ({ status }) => status);
      expect(await refusal(sending)).toBe(late);
    }
  });

  it('is the policy’s where the request has none', () => {
    const given = outboundPolicies(
      readEnvironment({
        WEBHOOK_TIMEOUT_SECONDS: '7',
        WEBHOOK_REQUIRE_PUBLIC_HOST: 'true',
        RULE_LIST_FETCH_MAX_BYTES: '1000',
        RULE_LIST_FETCH_TIMEOUT_SECONDS: '9',
        ENRICHMENT_REQUIRE_PUBLIC_HOST: 'false',
      }),
    );
    expect(given).toEqual({
      enrichment: { publicOnly: false, maxBytes: 65_536, timeoutMs: 10_000 },
      webhook: { publicOnly: true, maxBytes: 0, timeoutMs: 7000 },
      ai: { publicOnly: false, maxBytes: 1_048_576, timeoutMs: 300_000 },
      rule_list: { publicOnly: true, maxBytes: 1000, timeoutMs: 9000 },
      rule_pack: { publicOnly: true, maxBytes: 33_554_432, timeoutMs: 60_000 },
    });
    expect(policies).toMatchObject({
      enrichment: { publicOnly: true },
      webhook: { publicOnly: false, timeoutMs: 5000 },
      rule_list: { publicOnly: true, maxBytes: 1_048_576, timeoutMs: 15_000 },
    });
  });

  it('can be brought forward by the caller, at any time', async () => {
    answer = drip;
    const enough = new Error('cancelled');
    const controller = new AbortController();
    const sending = get(base, { purpose: 'ai', signal: controller.signal });
    await sleep(50);
    controller.abort(enough);
    await expect(sending).rejects.toBe(enough);
    await expect(get(base, { signal: controller.signal })).rejects.toBe(enough);
    expect(received).toHaveLength(1);
  });
});

it.each(['http://inside.test/', 'http://10.0.0.5/', 'http://[::1]/', 'http://127.0.0.1/', 'http://169.254.169.254/'])(
  'fetches no rule pack from %s, where a public host leads to it',
  async (inside) => {
    names['inside.test'] = ['10.0.0.5'];
    answer = (_request, response) => response.writeHead(302, { location: inside }).end();
    const fetching = withFetchedPack({ outbound }, `${base}/pack.zip`, () => Promise.resolve('used'));
    await expect(fetching).rejects.toMatchObject({ code: 'pack_refused' });
    expect([dialled, received.length]).toEqual([[publicAddress], 1]);
  },
);

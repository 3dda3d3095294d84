import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { clientReader, type Client } from './client.ts';

type Headers = Readonly<Record<string, readonly string[]>>;

function client(trusted: readonly string[] | null, peer: string | undefined, headers: Headers): Client {
  const headersDistinct = Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, [...values]]));
  return clientReader(trusted)({ headersDistinct, socket: { remoteAddress: peer } as IncomingMessage['socket'] });
}

const loopback = ['127.0.0.1/32', '::1/128'];

describe('the client’s address', () => {
  it.each([
    ['the peer when nobody is believed', null, '198.51.100.1', ['203.0.113.9'], '198.51.100.1'],
    ['the peer when it is no proxy', loopback, '198.51.100.1', ['203.0.113.9'], '198.51.100.1'],
    ['the right-most entry that is no proxy', loopback, '127.0.0.1', ['203.0.113.9, 198.51.100.7'], '198.51.100.7'],
    ['behind several proxies', ['10.0.0.0/8'], '10.0.0.1', ['1.1.1.1, 203.0.113.9, 10.9.9.9'], '203.0.113.9'],
    ['over repeated headers', ['10.0.0.0/8'], '10.0.0.1', ['203.0.113.9', '10.1.1.1'], '203.0.113.9'],
    ['the left-most when all are proxies', ['10.0.0.0/8'], '10.0.0.1', ['10.0.0.3, 10.0.0.2'], '10.0.0.3'],
    ['the left-most when all are believed', ['*'], '198.51.100.1', ['203.0.113.9, 198.51.100.7'], '203.0.113.9'],
    ['the proxy when it says nothing', loopback, '::1', [], '::1'],
    ['the proxy when what it says is no address', loopback, '127.0.0.1', ['203.0.113.9, unknown'], '127.0.0.1'],
    ['a peer that arrives as IPv6', loopback, '::ffff:127.0.0.1', ['203.0.113.9'], '203.0.113.9'],
    ['an entry with a port', loopback, '127.0.0.1', ['203.0.113.9:4711'], '203.0.113.9'],
    ['an IPv6 entry with brackets and port', loopback, '127.0.0.1', ['[2001:db8::1]:4711'], '2001:db8::1'],
    ['no address at all', null, undefined, [], ''],
  ] as const)('is %s', (_, trusted, peer, forwarded, expected) => {
    const headers: Headers = forwarded.length > 0 ? { 'x-forwarded-for': forwarded } : {};
    expect(client(trusted, peer, headers).ip).toBe(expected);
  });
});

describe('the host asked for', () => {
  const host = ['inner:8000'];
  it.each<[string, readonly string[] | null, Headers, readonly string[]]>([
    ['is Host', loopback, { host }, host],
    [
      'is what a trusted proxy was asked for',
      loopback,
      { host, 'x-forwarded-host': ['Svc.example.org'] },
      ['svc.example.org'],
    ],
    ['is Host when nobody is believed', null, { host, 'x-forwarded-host': ['svc.example.org'] }, host],
    ['is Host when the proxy is another', ['10.0.0.0/8'], { host, 'x-forwarded-host': ['svc.example.org'] }, host],
    [
      'is one where all proxies agree',
      loopback,
      { host, 'x-forwarded-host': ['a.test, a.test', 'A.test'] },
      ['a.test'],
    ],
    [
      'is nobody’s where they do not',
      loopback,
      { host, 'x-forwarded-host': ['a.test', 'b.test'] },
      ['a.test', 'b.test'],
    ],
    ['is Host when the proxy names none', loopback, { host, 'x-forwarded-host': [' ,'] }, host],
    ['is repeated where Host is', null, { host: ['a.test', 'a.test'] }, ['a.test', 'a.test']],
    ['may be missing', null, {}, []],
  ])('%s', (_, trusted, headers, expected) => expect(client(trusted, '127.0.0.1', headers).hosts).toEqual(expected));
});

describe('where the service is reached', () => {
  const proto = (...values: string[]): Headers => ({ host: ['svc.test'], 'x-forwarded-proto': values });
  it.each<[string, readonly string[] | null, Headers, string]>([
    ['is where the request arrived', null, { host: ['svc.test:8000'] }, 'http://svc.test:8000'],
    ['is behind TLS when a trusted proxy says so', loopback, proto('https'), 'https://svc.test'],
    ['is as the nearest proxy says', loopback, proto('http, HTTPS'), 'https://svc.test'],
    ['is not for others to say', null, proto('https'), 'http://svc.test'],
    ['is by the forwarded name', loopback, { ...proto('https'), 'x-forwarded-host': ['a.test'] }, 'https://a.test'],
    ['is unknown without a host', null, {}, ''],
    ['is unknown with a nonsensical one', null, { host: ['a b'] }, ''],
  ])('%s', (_, trusted, headers, expected) => expect(client(trusted, '127.0.0.1', headers).origin).toBe(expected));
});

import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { clientIpReader } from './client-ip.ts';

function client(trusted: readonly string[] | null, peer: string | undefined, ...forwarded: string[]): string {
  const headersDistinct = forwarded.length > 0 ? { 'x-forwarded-for': forwarded } : {};
  return clientIpReader(trusted)({ headersDistinct, socket: { remoteAddress: peer } as IncomingMessage['socket'] });
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
    expect(client(trusted, peer, ...forwarded)).toBe(expected);
  });
});

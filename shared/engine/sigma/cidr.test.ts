import { BlockList, isIPv6 } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cidrMask, inNetwork } from './cidr.ts';

function holds(network: string, value: string): boolean {
  return inNetwork(cidrMask(network)!, value);
}

describe('networks (1.4, cidr)', () => {
  it.each([
    ['192.168.0.0/16', '192.168.255.1', true],
    ['192.168.0.0/16', '192.169.0.1', false],
    ['10.0.0.0/9', '10.127.0.1', true],
    ['10.0.0.0/9', '10.128.0.1', false],
    ['0.0.0.0/0', '203.0.113.7', true],
    ['203.0.113.7/32', '203.0.113.7', true],
    ['203.0.113.7/32', '203.0.113.8', false],
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.7', '203.0.113.8', false],
    // Host bits in the network do not count.
    ['192.168.1.77/16', '192.168.9.9', true],
    ['fe80::1:2/10', 'fe80::9', true],
    ['fe80::/10', 'FE80::1', true],
    ['fe80::/10', 'fec0::1', false],
    ['::1/128', '::1', true],
    ['::1/128', '0:0:0:0:0:0:0:1', true],
    ['::1/128', '::2', false],
    ['2001:db8::/32', '2001:0DB8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::', false],
    ['fc00::/7', 'fdff::', true],
    ['::/0', '2001:db8::1', true],
    // Brackets, zone and port are removed.
    ['fe80::/10', 'fe80::1%eth0', true],
    ['fe80::/10', '[fe80::1%12]:445', true],
    ['2001:db8::/32', '[2001:db8::1]', true],
    ['2001:db8::/32', '[2001:db8::1]:443', true],
    ['10.0.0.0/8', '10.1.1.1:8080', true],
    ['10.0.0.0/8', ' 10.1.1.1 ', true],
    // An address mapped into IPv6 is also the IPv4 address; others are of one family only.
    ['10.0.0.0/8', '::ffff:10.1.1.1', true],
    ['10.0.0.0/8', '::FFFF:a01:101', true],
    ['10.0.0.0/8', '::ffff:11.1.1.1', false],
    ['::ffff:0:0/96', '::ffff:10.1.1.1', true],
    ['::/0', '10.1.1.1', false],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['0.0.0.0/0', '::1', false],
    ['10.0.0.0/8', '::10.1.1.1', false],
    // What is no address is in no network.
    ['0.0.0.0/0', '', false],
    ['0.0.0.0/0', '-', false],
    ['0.0.0.0/0', 'localhost', false],
    ['0.0.0.0/0', '10.1.1', false],
    ['0.0.0.0/0', '10.1.1.256', false],
    ['0.0.0.0/0', '10.1.1.1.1', false],
    ['0.0.0.0/0', '10.1.1.1/8', false],
    ['0.0.0.0/0', '1e1.1.1.1', false],
    ['::/0', ':::', false],
    ['::/0', '1::2::3', false],
    ['::/0', '1:2:3:4:5:6:7:8:9', false],
    ['::/0', '1:2:3:4:5:6:7', false],
    ['::/0', 'g::', false],
    ['::/0', '12345::', false],
    ['::/0', '::1.2.3', false],
  ])('%s holds %j: %s', (network, value, expected) => {
    expect(holds(network, value)).toBe(expected);
  });

  it.each([
    '',
    '/',
    'x',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8x',
    '10.0.0.0/ 8',
    '10.0.0/8',
    '::/129',
    '10.*',
  ])('%j is none', (text) => {
    expect(cidrMask(text)).toBeNull();
  });

  it.each([
    ['10.0.0.0/8', false],
    ['10.0.0.1/8', true],
    ['10.0.0.1/32', false],
    ['2001:db8::/32', false],
    ['2001:db8::1/32', true],
  ])('%s has bits behind its prefix: %s', (text, expected) => {
    expect(cidrMask(text)?.hostBits).toBe(expected);
  });

  it('agree with those of Node.js', () => {
    const four = fc.ipV4().map((address) => ({ address, family: 'ipv4' as const, bits: 32 }));
    const six = fc.ipV6().map((address) => ({ address, family: 'ipv6' as const, bits: 128 }));
    const pair = fc.oneof(fc.tuple(four, four), fc.tuple(six, six));
    fc.assert(
      fc.property(pair, fc.nat(), ([network, value], prefix) => {
        const length = prefix % (network.bits + 1);
        const block = new BlockList();
        block.addSubnet(network.address, length, network.family);
        fc.pre(network.family === 'ipv4' || (isIPv6(network.address) && isIPv6(value.address)));
        const expected = block.check(value.address, value.family);
        expect(holds(`${network.address}/${length}`, value.address)).toBe(expected);
        expect(holds(`${network.address}/${length}`, network.address)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

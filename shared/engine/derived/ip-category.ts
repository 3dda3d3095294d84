import { groupsOf } from './addresses.ts';

/** What kind of network an address is of (resolved-intel 2). */
export type IpCategory = 'loopback' | 'link_local' | 'multicast' | 'cgnat' | 'rfc1918' | 'reserved' | 'public';

type Block = readonly [category: IpCategory, network: string, bits: number];

/** By the registries of special-purpose addresses of IANA, and the blocks of version 4 kept for the future. */
const blocks4: readonly Block[] = [
  ['loopback', '127.0.0.0', 8],
  ['link_local', '169.254.0.0', 16],
  ['multicast', '224.0.0.0', 4],
  ['cgnat', '100.64.0.0', 10],
  ['rfc1918', '10.0.0.0', 8],
  ['rfc1918', '172.16.0.0', 12],
  ['rfc1918', '192.168.0.0', 16],
  ['reserved', '0.0.0.0', 8],
  ['reserved', '192.0.0.0', 24],
  ['reserved', '192.0.2.0', 24],
  ['reserved', '198.18.0.0', 15],
  ['reserved', '198.51.100.0', 24],
  ['reserved', '203.0.113.0', 24],
  ['reserved', '240.0.0.0', 4],
];

/** Of version 6 the first that applies; what lies in none is kept for the future. */
const blocks6: readonly Block[] = [
  ['loopback', '::1', 128],
  ['link_local', 'fe80::', 10],
  ['multicast', 'ff00::', 8],
  ['rfc1918', 'fc00::', 7],
  ['public', '64:ff9b::', 96],
  ['reserved', '2001:db8::', 32],
  ['reserved', '2001::', 23],
  ['reserved', '2002::', 16],
  ['reserved', '3fff::', 20],
  ['public', '2000::', 3],
];

const known4 = blocks4.map(([category, network, bits]) => ({ category, from: number4(network), bits }));
const known6 = blocks6.map(([category, network, bits]) => ({ category, groups: groups6(network), bits }));

/** Category of an address as an entity has it; null for what is none. */
export function ipCategory(address: string): IpCategory | null {
  return address.includes(':') ? category6(address) : category4(address);
}

function category4(address: string): IpCategory | null {
  const number = number4(address);
  if (Number.isNaN(number)) return null;
  return known4.find(({ from, bits }) => number >>> (32 - bits) === from >>> (32 - bits))?.category ?? 'public';
}

function category6(address: string): IpCategory | null {
  const groups = groupsOf(address.toLowerCase());
  if (groups === null) return null;
  const [last, before] = [groups[7]!, groups[6]!];
  // An IPv4-mapped address is that of version 4.
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return category4([before >> 8, before & 255, last >> 8, last & 255].join('.'));
  return known6.find((block) => isIn(groups, block.groups, block.bits))?.category ?? 'reserved';
}

function isIn(groups: readonly number[], network: readonly number[], bits: number): boolean {
  return groups.every((group, at) => {
    const own = Math.min(16, Math.max(0, bits - at * 16));
    return group >> (16 - own) === network[at]! >> (16 - own);
  });
}

/** NaN where it is no address of version 4. */
function number4(address: string): number {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(address)) return Number.NaN;
  const octets = address.split('.').map(Number);
  return octets.every((octet) => octet < 256) ? octets.reduce((sum, octet) => sum * 256 + octet, 0) : Number.NaN;
}

function groups6(network: string): readonly number[] {
  return groupsOf(network)!;
}

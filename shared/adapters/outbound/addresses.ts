import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * `forbidden`: no server of anybody's, or one that hands out the credentials of the machine;
 * `internal`: of this machine, a private network, or reserved; `public`: any host of the Internet.
 */
export type AddressClass = 'forbidden' | 'internal' | 'public';

/** Beyond link-local addresses, where most clouds keep theirs. */
const metadataNetworks = [
  '100.100.100.200/32', // Alibaba Cloud
  '168.63.129.16/32', // Azure's host agent
  '192.0.0.192/32', // Oracle Cloud, first generation
  'fd00:ec2::/32', // AWS, also its pod identities
  'fd20:ce::254/128', // Google Cloud
  'fd00:42::42/128', // Scaleway
].map((network) => ipaddr.parseCIDR(network));

const metadataNames = new Set([
  'instance-data',
  'instance-data.ec2.internal',
  'metadata',
  'metadata.azure.internal',
  'metadata.goog',
  'metadata.google.internal',
  'metadata.platformequinix.com',
  'metadata.tencentyun.com',
]);

const forbiddenRanges = new Set(['broadcast', 'linkLocal', 'multicast', 'unspecified']);
/** Forms of IPv6 addresses that reach an IPv4 host, and are as public as that is. */
const transparentRanges = new Set(['ipv4Mapped', 'rfc6052']);

/** Whether a name is that of a metadata service, wherever it may lead today. */
export function isMetadataName(hostname: string): boolean {
  return metadataNames.has(hostname);
}

/** Judges an address as resolvers and URLs write it, by itself and by every IPv4 address within it. */
export function classOf(address: string): AddressClass {
  if (isIP(address) === 0) return 'forbidden';
  const parsed = ipaddr.parse(address);
  const all = [parsed, ...(parsed instanceof ipaddr.IPv6 ? embedded(parsed) : [])];
  if (all.some((each) => isForbidden(each))) return 'forbidden';
  return all.every((each) => isPublic(each)) ? 'public' : 'internal';
}

function isForbidden(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return (
    forbiddenRanges.has(address.range()) ||
    metadataNetworks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
  );
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const range = address.range();
  if (address instanceof ipaddr.IPv4) return range === 'unicast';
  if (transparentRanges.has(range)) return address.parts[2] === 0;
  // Nothing beyond 2000::/3 has ever been given to anybody.
  return range === 'unicast' && (address.parts[0]! & 0xe000) === 0x2000;
}

/** IPv4 addresses to which routers, translators and tunnels take from an IPv6 address hand it on. */
function embedded(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const bytes = address.toByteArray();
  const at = (...places: number[]): ipaddr.IPv4 => new ipaddr.IPv4(places.map((place) => bytes[place]!));
  const last = at(12, 13, 14, 15);
  const { parts } = address;
  switch (address.range()) {
    case 'ipv4Mapped':
    case 'rfc6145':
      return [last];
    case 'rfc6052':
      if (parts[2] === 0) return [last];
      // Local prefixes may be of any of the lengths of RFC 6052, the rest is zero.
      return [last, at(6, 7, 9, 10), at(7, 9, 10, 11), at(9, 10, 11, 12)].filter(
        (each) => each.range() !== 'unspecified',
      );
    case '6to4':
      return [at(2, 3, 4, 5)];
    case 'teredo':
      return [at(4, 5, 6, 7), new ipaddr.IPv4(last.octets.map((octet) => octet ^ 0xff))];
    default: {
      const isCompatible = parts.slice(0, 6).every((part) => part === 0) && parts[6] !== 0;
      const isTunnelled = (parts[4]! & 0xfdff) === 0 && parts[5] === 0x5efe;
      return isCompatible || isTunnelled ? [last] : [];
    }
  }
}

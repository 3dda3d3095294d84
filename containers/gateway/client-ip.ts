import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Tells from which address a request comes. */
export type ClientIp = (request: Pick<IncomingMessage, 'headersDistinct' | 'socket'>) => string;

/**
 * The client's address (resolved-platform 15.3): the direct peer, unless that is one of the trusted
 * proxies; then the right-most `X-Forwarded-For` entry that is none, and the left-most if all are.
 * @param trusted networks, `*` for all; null to believe nobody.
 */
export function clientIpReader(trusted: readonly string[] | null): ClientIp {
  const isTrusted = trustedBy(trusted ?? []);
  return ({ headersDistinct, socket }) => {
    let client = plainAddress(socket.remoteAddress ?? '');
    const chain = (headersDistinct['x-forwarded-for'] ?? []).flatMap((line) => line.split(','));
    while (isTrusted(client)) {
      const next = plainAddress(chain.pop() ?? '');
      // What a proxy has not understood says nothing of who is behind it.
      if (isIP(next) === 0) break;
      client = next;
    }
    return client;
  };
}

/** Tells whether an address belongs to one of these networks; `*` is all. */
export function trustedBy(networks: readonly string[]): (address: string) => boolean {
  if (networks.includes('*')) return () => true;
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const isV4 = isIP(address) === 4;
    list.addSubnet(address, Number(prefix ?? (isV4 ? 32 : 128)), isV4 ? 'ipv4' : 'ipv6');
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** Without port, brackets and zone; an IPv4 address that arrives as IPv6 is unwrapped. */
export function plainAddress(sent: string): string {
  const text = sent.trim();
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text)?.[1] ?? text;
  return bare
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .slice(0, 45);
}

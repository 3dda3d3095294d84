import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Whom a request comes from, and which host it asks for. */
export interface Client {
  readonly ip: string;
  /** Who has connected. */
  readonly peer: string;
  /** More than one is for the handler to refuse. */
  readonly hosts: readonly string[];
  /** Where its sender reaches the service, as `https://host`; empty when unknown. */
  readonly origin: string;
}

export type ClientReader = (request: Pick<IncomingMessage, 'headersDistinct' | 'socket'>) => Client;

/**
 * Tells the client of a request: its direct peer and `Host`, unless that peer is a trusted proxy, which
 * may say otherwise (resolved-platform 15.1 and 15.3).
 * @param trusted networks, `*` for all; null to believe nobody.
 */
export function clientReader(trusted: readonly string[] | null): ClientReader {
  const isTrusted = trustedBy(trusted ?? []);
  return ({ headersDistinct, socket }) => {
    const peer = plainAddress(socket.remoteAddress ?? '');
    const listed = (name: string): string[] => (headersDistinct[name] ?? []).flatMap((line) => line.split(','));
    const forwarded = isTrusted(peer) ? hostsIn(listed('x-forwarded-host')) : [];
    const hosts = forwarded.length > 0 ? forwarded : (headersDistinct['host'] ?? []);
    const protocol = isTrusted(peer) ? listed('x-forwarded-proto').at(-1)?.trim().toLowerCase() : 'http';
    return {
      peer,
      ip: addressIn(listed('x-forwarded-for'), peer, isTrusted),
      hosts,
      origin: originOf(protocol === 'https' ? 'https' : 'http', hosts.at(-1)),
    };
  };
}

/** The right-most entry of the chain that is no trusted proxy, and the left-most if all are. */
function addressIn(chain: string[], peer: string, isTrusted: (address: string) => boolean): string {
  let client = peer;
  while (isTrusted(client)) {
    const next = plainAddress(chain.pop() ?? '');
    // What a proxy has not understood says nothing of who is behind it.
    if (isIP(next) === 0) break;
    client = next;
  }
  return client;
}

/** Without repetitions: every proxy of a chain may have said the same. */
function hostsIn(forwarded: readonly string[]): string[] {
  return [...new Set(forwarded.map((host) => host.trim().toLowerCase()).filter((host) => host !== ''))];
}

function originOf(protocol: string, host = ''): string {
  const url = `${protocol}://${host}`;
  return URL.canParse(url) ? new URL(url).origin : '';
}

function trustedBy(networks: readonly string[]): (address: string) => boolean {
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
function plainAddress(sent: string): string {
  const text = sent.trim();
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text)?.[1] ?? text;
  return bare
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .slice(0, 45);
}

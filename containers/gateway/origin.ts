import type { IncomingMessage } from 'node:http';
import { plainAddress, trustedBy } from './client-ip.ts';

/**
 * Tells where the sender of a request reaches the service, as `https://host`; empty when it did not say.
 * Behind a trusted proxy that is what the proxy says it was asked for.
 * @param trusted networks, `*` for all; null to believe nobody.
 */
export function originReader(
  trusted: readonly string[] | null,
): (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string {
  const isTrusted = trustedBy(trusted ?? []);
  return ({ headers, socket }) => {
    const isForwarded = isTrusted(plainAddress(socket.remoteAddress ?? ''));
    const said = (name: string): string | undefined =>
      isForwarded ? lastOf(headers[`x-forwarded-${name}`]) : undefined;
    const protocol = said('proto')?.toLowerCase() === 'https' ? 'https' : 'http';
    const url = `${protocol}://${said('host') ?? headers.host ?? ''}`;
    return URL.canParse(url) ? new URL(url).origin : '';
  };
}

/** What the nearest of several proxies has written. */
function lastOf(value: string | string[] | undefined): string | undefined {
  return [value ?? []].flat().join(',').split(',').at(-1)?.trim() || undefined;
}

import { OutboundError } from '@svc/application/ports/outbound-http.ts';
import { isIP } from 'node:net';
import { classOf, isMetadataName } from './addresses.ts';

/** Where a request goes, in one form however it was written. */
export interface Target {
  readonly url: URL;
  /** Name or address, without brackets. */
  readonly hostname: string;
}

/** Reads an address as browsers do, which takes all spellings of a host apart. Throws `bad_url`. */
export function targetOf(text: string): Target {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new OutboundError('bad_url', 'The address must be an http or https URL');
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('bad_url', 'The address must not contain a user name or a password');
  }
  if (url.port === '0') throw new OutboundError('bad_url', 'The address has the port 0, at which nothing answers');
  const bare = url.hostname.replace(/\.+$/, '');
  if (bare === '') throw new OutboundError('bad_url', 'The address names no host');
  url.hostname = bare;
  return { url, hostname: bare.replace(/^\[|\]$/g, '') };
}

/** Throws the reason for which an address can be refused as it is written. */
export function refuseUrl(url: string, publicOnly: boolean): void {
  const target = targetOf(url);
  refuseHost(target, literalOf(target), publicOnly);
}

/** Throws `refused_address` for names of metadata services, and for addresses that may not be reached. */
export function refuseHost({ hostname }: Target, addresses: readonly string[], publicOnly: boolean): void {
  if (isMetadataName(hostname)) {
    throw new OutboundError('refused_address', `${hostname} is the name of a cloud metadata service`);
  }
  for (const address of addresses) {
    const named = address === hostname ? hostname : `${hostname} (${address})`;
    const found = classOf(address);
    if (found === 'forbidden') {
      throw new OutboundError('refused_address', `${named} is link-local, a cloud metadata service or no host at all`);
    }
    if (found === 'internal' && publicOnly) {
      throw new OutboundError('refused_address', `${named} is not a public address`);
    }
  }
}

/** The address that stands in the URL itself; empty when a name does. */
export function literalOf({ hostname }: Target): readonly string[] {
  return isIP(hostname) === 0 ? [] : [hostname];
}

import { networkOf } from '@svc/domain';

/** An address without its last part, as lists of sessions show it. */
export function shownNetwork(ip: string): string {
  const network = networkOf(ip);
  const bytes = network.split('.');
  if (bytes.length === 4) return `${bytes.slice(0, 3).join('.')}.0/24`;
  return network.replace(/^((?:[0-9a-f]+:){2}[0-9a-f]+):.*/, '$1::/48');
}

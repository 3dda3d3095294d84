import type { AiProvider } from '@svc/domain';
import { addressesIn, ipCategory } from '@svc/engine';
import { hasOwnSuffix } from './generic-names.ts';

/** Whether what is sent to a provider has stand-ins for names: where it does not say, unless it is of the own network. */
export function hidesNames({ pseudonyms, baseUrl }: Pick<AiProvider, 'pseudonyms' | 'baseUrl'>): boolean {
  return pseudonyms ?? !isInside(baseUrl);
}

/** Whether an address is of the own network, as far as its name tells. */
function isInside(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const [address] = addressesIn(host);
  if (address === undefined) return host === '::1' || !host.includes('.') || hasOwnSuffix(host);
  return ['loopback', 'rfc1918', 'cgnat', 'link_local'].includes(ipCategory(address) ?? '');
}

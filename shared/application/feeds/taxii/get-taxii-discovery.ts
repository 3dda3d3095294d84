import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';

const root = '/taxii2/svc/';

/** Who this is, and where its API root is, as the client reaches it. */
export async function getTaxiiDiscovery(
  _ports: object,
  _viewer: Actor,
  _asked: InputOf<typeof operations.getTaxiiDiscovery>,
  { origin, secureCookies }: { readonly origin: string; readonly secureCookies: boolean },
): Promise<OutputOf<typeof operations.getTaxiiDiscovery>> {
  const base = secureCookies ? origin.replace(/^http:/, 'https:') : origin;
  return {
    title: 'svc',
    description: 'What logs name, as indicators of STIX 2.1',
    contact: `The administrators of ${base}`,
    default: base + root,
    api_roots: [base + root],
  };
}

import { z } from 'zod';

const names = () =>
  z
    .string()
    .toLowerCase()
    .transform((list) => list.split(',').map((one) => one.trim()))
    .pipe(z.array(z.union([z.literal('*'), z.hostname()], 'must be host names without scheme and port, or *')));

/** Where browsers find the service. */
export const hostVariables = {
  SITE_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => new URL(url).origin)
    .optional()
    .describe('Public address of the service, https://host, where a proxy in front sends another Host; else unset.'),
  ALLOWED_HOSTS: names()
    .optional()
    .describe(
      'Names by which browsers may ask for the service, comma-separated, beside localhost, addresses and that of SITE_URL; * for any. Unset, any where HOST is not of loopback or a proxy is in front (TRUST_PROXY_HEADERS, EDGE_KEY), else no other.',
    ),
};

interface HostSettings {
  readonly HOST: string;
  readonly SITE_URL?: string | undefined;
  readonly ALLOWED_HOSTS?: readonly string[] | undefined;
  readonly EDGE_KEY?: string | undefined;
  readonly TRUST_PROXY_HEADERS: boolean;
}

/**
 * By which names the service may be asked for, beside those of loopback and addresses; null for any name. Unless
 * they are set, a service that others can reach takes any: what its users or its proxy call it, it cannot know.
 */
export function servedHosts(settings: HostSettings): string[] | null {
  const { ALLOWED_HOSTS: allowed, SITE_URL: site } = settings;
  if (allowed === undefined ? isReachable(settings) : allowed.includes('*')) return null;
  return [...(allowed ?? []), ...(site === undefined ? [] : [new URL(site).hostname])];
}

/** Whether any name is accepted only because none was configured. */
export function takesUnknownHosts(settings: HostSettings): boolean {
  // With a key, requests come by the edge, which knows its own names.
  return settings.EDGE_KEY === undefined && settings.ALLOWED_HOSTS === undefined && servedHosts(settings) === null;
}

function isReachable({ HOST, EDGE_KEY, TRUST_PROXY_HEADERS }: HostSettings): boolean {
  return TRUST_PROXY_HEADERS || EDGE_KEY !== undefined || !/^(localhost|127(\.\d+){3}|::1)$/i.test(HOST);
}

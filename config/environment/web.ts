import { z } from 'zod';
import { hostVariables } from './hosts.ts';
import { flag, integer, passphrase, type Contradiction, type Read } from './values.ts';

/** Variables of what stands between browsers and the service. */
export const webVariables = {
  TRUST_PROXY_HEADERS: flag().describe('Believe the X-Forwarded-For of requests from TRUSTED_PROXY_CIDRS.'),
  TRUSTED_PROXY_CIDRS: z
    .string()
    .default('127.0.0.1/32,::1/128')
    .transform((list) => list.split(',').map((one) => one.trim()))
    .pipe(z.array(z.union([z.literal('*'), z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], 'must be networks')))
    .describe('Networks of the reverse proxies in front, comma-separated; every hop must be listed.'),
  ...hostVariables,
  EDGE_KEY: passphrase()
    .optional()
    .describe(
      'What the edge (CloudFront) sends as x-origin-key. Requests without it are refused, /health apart; with it, the client’s address, host and path are those of x-viewer-address, x-forwarded-host and x-forwarded-uri.',
    ),
  METRICS_TOKEN: passphrase()
    .optional()
    .describe(
      'What Prometheus sends as Authorization: Bearer for the OpenMetrics at /metrics; unset, there is no such address.',
    ),
  TAXII_ENABLED: flag().describe(
    'Serve what is known as a read-only TAXII 2.1 server under /taxii2/, to API tokens with the scope taxii:read.',
  ),
  DISABLE_CSP: flag().describe('Send no Content-Security-Policy; needs DEBUG or I_ACCEPT_DISABLE_CSP_IN_PROD.'),
  I_ACCEPT_DISABLE_CSP_IN_PROD: flag().describe('Start with DISABLE_CSP although DEBUG is off.'),
  ENABLE_HSTS: flag().describe('Tell browsers to come by TLS only (Strict-Transport-Security).'),
  HSTS_MAX_AGE: integer(0, 315_360_000).default(63_072_000).describe('For how many seconds, with ENABLE_HSTS.'),
};

type WebSettings = Read<typeof webVariables> & { readonly DEBUG: boolean };

export function webContradictions(settings: WebSettings): Contradiction[] {
  return [
    [
      settings.DISABLE_CSP && !settings.DEBUG && !settings.I_ACCEPT_DISABLE_CSP_IN_PROD,
      'DISABLE_CSP needs DEBUG=true or I_ACCEPT_DISABLE_CSP_IN_PROD=true',
    ],
  ];
}

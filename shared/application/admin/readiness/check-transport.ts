import type { ReadinessCheck } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';

/** How the request came that asks, as far as the service sees it. */
export interface SeenRequest {
  /** Whom it counts as. */
  readonly client: string;
  /** Who sent it to the service. */
  readonly peer: string;
  /** `X-Forwarded-For` as it came; null without one. */
  readonly forwarded: string | null;
  /** Where its sender reaches the service, as `https://host`; empty when unknown. */
  readonly origin: string;
}

type Finding = Omit<ReadinessCheck, 'section' | 'name'>;

const loopback = /^(127(\.\d+){3}|::1|localhost)(\/\d+)?$/;
const privateNetwork = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|127\.|f[cd]|fe80|::1)/i;

/** What is between browsers and the service, by the settings and by the request that asks; null from no request. */
export function checkTransport(
  { deployment }: Pick<Ports, 'deployment'>,
  seen: SeenRequest | null,
): readonly ReadinessCheck[] {
  const { http } = deployment;
  return [
    named('Cookies and HTTP', cookies(http, seen)),
    named('Client address', clientAddress(http, seen)),
    named('HSTS', hsts(http, seen)),
  ];
}

function named(name: string, found: Finding): ReadinessCheck {
  return { section: 'Configuration', name, ...found };
}

type Http = Ports['deployment']['http'];

/** Whether browsers come by TLS; null where nothing says so. */
function comesByTls({ edgeKey, host, siteUrl }: Http, seen: SeenRequest | null): boolean | null {
  if (edgeKey !== null || siteUrl?.startsWith('https:') || seen?.origin.startsWith('https:')) return true;
  if (seen === null) return loopback.test(host) || siteUrl !== null ? false : null;
  return false;
}

function isOnThisMachine({ host }: Http, seen: SeenRequest | null): boolean {
  if (seen === null) return loopback.test(host);
  return URL.canParse(seen.origin) && loopback.test(new URL(seen.origin).hostname.replace(/^\[|\]$/g, ''));
}

function cookies(http: Http, seen: SeenRequest | null): Finding {
  if (!http.secureCookies) {
    return { level: 'INFO', message: 'Session cookies also go over plain HTTP, as the settings say', fix: null };
  }
  const isByTls = comesByTls(http, seen);
  if (isByTls === true)
    return { level: 'PASS', message: 'Session cookies go over TLS alone, which is there', fix: null };
  if (isOnThisMachine(http, seen)) {
    const message = 'The service is used on this machine, where browsers keep such cookies without TLS';
    return { level: 'PASS', message, fix: null };
  }
  const fix =
    'Put a proxy with TLS in front that sends X-Forwarded-Proto, with TRUST_PROXY_HEADERS and TRUSTED_PROXY_CIDRS; or, in a network that you trust, set COOKIE_INSECURE=true';
  if (isByTls === null) {
    const message = 'Nothing in the settings says that a proxy with TLS is in front, without which nobody can sign in';
    return { level: 'INFO', message, fix: `Set SITE_URL=https://… where there is one. Else: ${fix}` };
  }
  const from = seen === null ? '' : `, as by ${seen.origin}`;
  const message = `Session cookies go over TLS alone, but browsers come by plain HTTP${from}: signing in does nothing`;
  return { level: 'WARN', message, fix };
}

function hsts(http: Http, seen: SeenRequest | null): Finding {
  const isByTls = comesByTls(http, seen);
  if (http.hstsSeconds === null) {
    return isByTls === true
      ? {
          level: 'WARN',
          message: 'Browsers come by TLS, but are not told to come by nothing else',
          fix: 'Set ENABLE_HSTS=true once TLS works everywhere under this name',
        }
      : { level: 'PASS', message: 'Off, as there is no TLS to hold browsers to', fix: null };
  }
  if (isByTls === true) return { level: 'PASS', message: 'Browsers are told to come by TLS alone', fix: null };
  const fix = 'Unset ENABLE_HSTS, or put a proxy with TLS in front';
  if (isByTls === null) return { level: 'INFO', message: 'On; nothing in the settings says whether TLS is there', fix };
  return { level: 'WARN', message: 'On, but browsers come by plain HTTP, where they do not heed it', fix };
}

function clientAddress({ edgeKey, trustedProxies }: Http, seen: SeenRequest | null): Finding {
  const asked = seen === null ? '' : `. This request: ${told(seen)}`;
  const pass = (message: string): Finding => ({ level: 'PASS', message: `${message}${asked}`, fix: null });
  const warn = (message: string, fix: string): Finding => ({ level: 'WARN', message: `${message}${asked}`, fix });
  if (edgeKey !== null) return pass('The edge says who its client is');
  const isPassedOn = seen !== null && seen.forwarded !== null;
  if (trustedProxies === null) {
    if (!isPassedOn) return pass('Whoever connects is the client');
    return warn(
      'X-Forwarded-For is sent, and not believed: all clients of that proxy count as one',
      `If ${seen.peer} is your proxy, set TRUST_PROXY_HEADERS=true and TRUSTED_PROXY_CIDRS=${seen.peer}`,
    );
  }
  const networks = trustedProxies.join(', ');
  if (trustedProxies.includes('*')) return { level: 'INFO', message: `Everybody is believed${asked}`, fix: null };
  // Whoever is not believed counts as itself.
  if (isPassedOn && seen.client === seen.peer) {
    return warn(
      `${seen.peer} sends X-Forwarded-For and is not in TRUSTED_PROXY_CIDRS (${networks}): all clients of that proxy count as one`,
      `If ${seen.peer} is your proxy, add it to TRUSTED_PROXY_CIDRS`,
    );
  }
  if (isPassedOn && stopsAtInnerProxy(seen)) {
    return warn(
      `The chain goes on behind ${seen.client}, which counts as the client`,
      `If ${seen.client} is a proxy of yours, add it to TRUSTED_PROXY_CIDRS, as every hop must be`,
    );
  }
  if (trustedProxies.every((network) => loopback.test(network)) && !isPassedOn) {
    return warn(
      `Forwarded headers are believed from this machine alone (${networks})`,
      'Name the networks of your proxies in TRUSTED_PROXY_CIDRS, or unset TRUST_PROXY_HEADERS where there is none',
    );
  }
  return pass(`Forwarded headers are believed from ${networks}`);
}

function told({ client, forwarded, peer }: SeenRequest): string {
  return `from ${peer}, X-Forwarded-For ${forwarded ?? 'not there'}, counts as ${client}`;
}

/** Whether an address of a private network is taken for the client although others stand before it. */
function stopsAtInnerProxy({ client, forwarded }: SeenRequest): boolean {
  const first = forwarded?.split(',')[0]?.trim() ?? '';
  return privateNetwork.test(client) && !first.includes(client);
}

import { AppError, hasRole } from '@svc/domain';
import type { HttpMiddleware } from '../call-context.ts';
import type { HttpEvent } from '../http-event.ts';
import { bearerToken } from './authentication.ts';
import { sessionToken } from '../session-cookie.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * Refuses writes that another site may have caused (service 5.4, resolved-platform 15.1): with the
 * session cookie, `Origin` or else `Referer` must name this host. Signing in is checked whenever
 * either is sent, signing out never. Whatever else a browser sends is refused when it says that another
 * site had it do so, and checked when that was a neighbour. Administrators are told what was compared,
 * since a proxy that rewrites `Host` looks the same.
 */
export function csrf(): HttpMiddleware {
  return {
    before: ({ event, context }) => {
      const { actor, route } = context;
      if (!isChecked(event, route?.name) || (!isCrossSite(event) && namesThisHost(event))) return;
      const compared = actor && hasRole(actor, 'admin') ? `: ${comparison(event)}` : '';
      throw new AppError('csrf', `CSRF validation failed${compared}`);
    },
  };
}

function isChecked(event: HttpEvent, operation: string | undefined): boolean {
  const { cookies, headers, requestContext } = event;
  if (safeMethods.has(requestContext.http.method) || operation === 'logout' || bearerToken(event) !== null)
    return false;
  if (isCrossSite(event) || headers['sec-fetch-site'] === 'same-site') return true;
  if (operation === 'login') return sourceOf(headers) !== undefined;
  return sessionToken(cookies) !== null;
}

/** As the browser says, which pages cannot make it do; programs and old browsers say nothing. */
function isCrossSite({ headers }: Pick<HttpEvent, 'headers'>): boolean {
  return !['same-origin', 'same-site', 'none', undefined].includes(headers['sec-fetch-site']);
}

function namesThisHost({ headers }: HttpEvent): boolean {
  const from = sourceOf(headers);
  const host = headers['host'];
  if (from === undefined || isRepeated(from) || !URL.canParse(from)) return false;
  const { protocol, host: fromHost } = new URL(from);
  if (!/^https?:$/.test(protocol) || host === undefined || !/^[^\s,/?#@\\]+$/.test(host)) return false;
  // By way of URL, for letter case and default ports.
  return URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === fromHost;
}

function sourceOf(headers: HttpEvent['headers']): string | undefined {
  return headers['origin'] ?? headers['referer'];
}

/** The gateway joins repeated headers by a comma and a space, API Gateway by a comma. */
function isRepeated(value: string): boolean {
  return /,\s|,\w+:\/\//.test(value);
}

function comparison({ headers }: Pick<HttpEvent, 'headers'>): string {
  if (isCrossSite({ headers })) return `the browser says that the request is ${headers['sec-fetch-site']}`;
  const from = sourceOf(headers);
  const name = headers['origin'] === undefined ? 'Referer' : 'Origin';
  const sent =
    from === undefined ? 'neither Origin nor Referer was sent' : `${name} is ${JSON.stringify(from.slice(0, 200))}`;
  return `${sent}, and Host is ${JSON.stringify(headers['host'] ?? '')}`;
}

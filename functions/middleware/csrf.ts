import { AppError } from '@svc/domain';
import type { HttpMiddleware } from '../call-context.ts';
import type { HttpEvent } from '../http-event.ts';
import { bearerToken } from './authentication.ts';
import { sessionToken } from '../session-cookie.ts';

/**
 * Refuses writes that another site may have caused (service 5.4, resolved-platform 15.1): with the
 * session cookie, `Origin` or else `Referer` must name this host. Signing in is checked whenever
 * either is sent, signing out never.
 */
export function csrf(): HttpMiddleware {
  return {
    before: ({ event, context }) => {
      if (isChecked(event, context.route?.name) && !namesThisHost(event)) {
        throw new AppError('csrf', 'CSRF validation failed');
      }
    },
  };
}

function isChecked(event: HttpEvent, operation: string | undefined): boolean {
  const { cookies, headers, requestContext } = event;
  if (requestContext.http.method === 'GET' || operation === 'logout' || bearerToken(event) !== null) return false;
  if (operation === 'login') return headers['origin'] !== undefined || headers['referer'] !== undefined;
  return sessionToken(cookies) !== null;
}

function namesThisHost({ headers }: HttpEvent): boolean {
  const from = headers['origin'] ?? headers['referer'];
  const host = headers['host'];
  if (from === undefined || host === undefined || isRepeated(from) || isRepeated(host)) return false;
  if (!URL.canParse(from)) return false;
  const { protocol, host: fromHost } = new URL(from);
  // By way of URL, for letter case and default ports.
  return URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === fromHost;
}

/** API Gateway joins repeated headers by commas. */
function isRepeated(value: string): boolean {
  return /^[^/]*,|,\s*\w+:\/\//.test(value);
}

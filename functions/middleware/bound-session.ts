import type { Deployment } from '@svc/application/ports/deployment.ts';
import { createHash } from 'node:crypto';
import type { HttpMiddleware } from '../call-context.ts';
import type { HttpEvent } from '../http-event.ts';

const session = 'svc_auth=';
/** Browsers take a cookie of this prefix from the very host alone, over TLS, and for no domain. */
const binding = '__Host-svc_bound=';

/**
 * Keeps out sessions that a sibling subdomain has planted. It can set `svc_auth` for the whole domain, beside the true
 * cookie or in its place, so that what its victim uploads goes to somebody else's account. So each session comes with
 * a second cookie that no sibling can set, the digest of its token; a session without it is ignored. Loopback names
 * have no siblings, and not all browsers take such cookies there.
 */
export function boundSession({
  deployment,
}: {
  readonly deployment: { readonly http: Pick<Deployment['http'], 'secureCookies'> };
}): HttpMiddleware {
  // One that does nothing: middy takes no empty one.
  if (!deployment.http.secureCookies) return { before: () => {} };
  return {
    before: (request) => {
      const { event } = request;
      const cookies = event.cookies?.map((cookie) => cookie.trim());
      if (cookies === undefined || isLoopback(event)) return;
      const isBound = (cookie: string): boolean => cookies.includes(bindingOf(cookie));
      request.event = { ...event, cookies: cookies.filter((each) => !each.startsWith(session) || isBound(each)) };
    },
    after: ({ response }) => {
      if (response) response.cookies = response.cookies?.flatMap(withBinding) ?? [];
    },
  };
}

/** The pair that belongs to `svc_auth=…`. */
export function bindingOf(cookie: string): string {
  const token = cookie.slice(session.length);
  return binding + (token === '' ? '' : createHash('sha256').update(token).digest('base64url'));
}

/** Both with the same attributes. */
function withBinding(setCookie: string): string[] {
  if (!setCookie.startsWith(session)) return [setCookie];
  const [pair = '', ...attributes] = setCookie.split('; ');
  return [setCookie, [bindingOf(pair), ...attributes].join('; ')];
}

function isLoopback({ headers }: HttpEvent): boolean {
  return /^(([^:]+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(headers['host'] ?? '');
}

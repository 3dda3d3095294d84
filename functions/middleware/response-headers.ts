import type { Deployment } from '@svc/application/ports/deployment.ts';
import type { Request } from '@middy/core';
import type { CallContext, HttpMiddleware } from '../call-context.ts';
import type { HttpEvent, HttpResult } from '../http-event.ts';

const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "object-src 'none'",
  "frame-ancestors 'self'",
].join('; ');

function policyFor(uploadOrigin: string | null): string {
  return uploadOrigin === null ? contentSecurityPolicy : `${contentSecurityPolicy}; connect-src 'self' ${uploadOrigin}`;
}

/** On everything that the service sends (resolved-platform 15.2). */
export function securityHeaders({ http }: Pick<Deployment, 'http'>): Readonly<Record<string, string>> {
  return {
    ...(http.contentSecurityPolicy && { 'content-security-policy': policyFor(http.uploadOrigin) }),
    ...(http.hstsSeconds !== null && {
      'strict-transport-security': `max-age=${http.hstsSeconds}; includeSubDomains`,
    }),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  };
}

/** On everything but static files: pages and data share addresses and depend on who asks. */
export const privateHeaders = { 'cache-control': 'no-store, private', vary: 'Cookie, Accept' } as const;

/** Puts the security and caching headers on answers and refusals. */
export function responseHeaders({ deployment }: { readonly deployment: Pick<Deployment, 'http'> }): HttpMiddleware {
  const always = { ...securityHeaders(deployment), ...privateHeaders };
  const addHeaders = ({ context, response }: Request<HttpEvent, HttpResult, Error, CallContext>): void => {
    if (response) response.headers = { ...always, ...context.answerHeaders, ...response.headers };
  };
  return { after: addHeaders, onError: addHeaders };
}

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

/** On everything that the service sends (resolved-platform 15.2). */
export const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
} as const;

/** On everything but static files: pages and data share addresses and depend on who asks. */
export const privateHeaders = { 'cache-control': 'no-store, private', vary: 'Cookie, Accept' } as const;

/** Puts the security and caching headers on answers and refusals. */
export function responseHeaders(): HttpMiddleware {
  return { after: addHeaders, onError: addHeaders };
}

function addHeaders({ context, response }: Request<HttpEvent, HttpResult, Error, CallContext>): void {
  if (!response) return;
  response.headers = { ...securityHeaders, ...privateHeaders, ...context.answerHeaders, ...response.headers };
}

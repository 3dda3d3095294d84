import type { Deployment } from '@svc/application/ports/deployment.ts';
import { privateHeaders, securityHeadersFor } from '@svc/contracts';
import type { Request } from '@middy/core';
import type { CallContext, HttpMiddleware } from '../call-context.ts';
import type { HttpEvent, HttpResult } from '../http-event.ts';

/** On everything that the service sends (resolved-platform 15.2). */
export function securityHeaders({ http }: Pick<Deployment, 'http'>): Readonly<Record<string, string>> {
  return securityHeadersFor(http);
}

/** Puts the security and caching headers on answers and refusals. */
export function responseHeaders({ deployment }: { readonly deployment: Pick<Deployment, 'http'> }): HttpMiddleware {
  const always = { ...securityHeaders(deployment), ...privateHeaders };
  const addHeaders = ({ context, response }: Request<HttpEvent, HttpResult, Error, CallContext>): void => {
    if (response) response.headers = { ...always, ...context.answerHeaders, ...response.headers };
  };
  return { after: addHeaders, onError: addHeaders };
}

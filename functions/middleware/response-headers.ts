import type { Deployment } from '@svc/application/ports/deployment.ts';
import { privateHeaders, securityHeadersFor } from '@svc/contracts';
import type { Request } from '@middy/core';
import type { CallContext, HttpMiddleware } from '../call-context.ts';
import type { HttpEvent, HttpResult } from '../http-event.ts';

/** What of the deployment decides on headers. */
export interface HeaderSettings {
  readonly http: Pick<Deployment['http'], 'contentSecurityPolicy' | 'hstsSeconds' | 'uploadOrigin'>;
}

/** On everything that the service sends (resolved-platform 15.2). */
export function securityHeaders({ http }: HeaderSettings): Readonly<Record<string, string>> {
  return securityHeadersFor(http);
}

/** Puts the security and caching headers on answers and refusals. */
export function responseHeaders({ deployment }: { readonly deployment: HeaderSettings }): HttpMiddleware {
  const always = { ...securityHeaders(deployment), ...privateHeaders };
  const addHeaders = ({ context, response }: Request<HttpEvent, HttpResult, Error, CallContext>): void => {
    if (response) response.headers = { ...always, ...context.answerHeaders, ...response.headers };
  };
  return { after: addHeaders, onError: addHeaders };
}

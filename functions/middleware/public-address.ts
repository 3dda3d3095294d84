import type { Deployment } from '@svc/application/ports/deployment.ts';
import { edgeHeaders } from '@svc/contracts';
import { AppError } from '@svc/domain';
import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { HttpMiddleware } from '../call-context.ts';
import type { HttpEvent } from '../http-event.ts';

/**
 * Makes of what a proxy has passed on the request as its client sent it: whom it comes from, its host and its
 * path. With a key of the edge, requests that do not bring it have gone past the edge and are refused.
 */
export function publicAddress({
  deployment,
}: {
  readonly deployment: { readonly http: Pick<Deployment['http'], 'edgeKey' | 'siteUrl'> };
}): HttpMiddleware {
  const { edgeKey, siteUrl } = deployment.http;
  const key = edgeKey === null ? null : digest(edgeKey);
  return {
    before: (request) => {
      const { event } = request;
      const isFromEdge = key !== null && timingSafeEqual(digest(event.headers[edgeHeaders.key] ?? ''), key);
      // Load balancers look at the health of what is behind them, and know no key.
      if (key !== null && !isFromEdge && event.rawPath !== '/health') throw pastTheEdge();
      request.event = isFromEdge ? atSite(asSent(event), siteUrl) : atSite(event, siteUrl);
    },
  };
}

/** With what the edge alone knows. */
function asSent(event: HttpEvent): HttpEvent {
  const { headers, rawPath, requestContext } = event;
  const host = headers[edgeHeaders.host];
  const path = headers[edgeHeaders.path] ?? rawPath;
  const address = headers[edgeHeaders.address] ?? '';
  const http = { ...requestContext.http, path, ...(isIP(address) !== 0 && { sourceIp: address }) };
  return {
    ...event,
    // API Gateway decodes the path, as it would be once more.
    rawPath: path,
    headers: host === undefined ? headers : { ...headers, host },
    requestContext: {
      ...requestContext,
      http,
      peer: requestContext.http.sourceIp,
      ...(host !== undefined && { origin: `https://${host}` }),
    },
  };
}

function atSite(event: HttpEvent, siteUrl: string | null): HttpEvent {
  if (siteUrl === null) return event;
  const { headers, requestContext } = event;
  const { host, origin } = new URL(siteUrl);
  return { ...event, headers: { ...headers, host }, requestContext: { ...requestContext, origin } };
}

/** Of one length, so that they compare in constant time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function pastTheEdge(): AppError {
  return new AppError('forbidden', 'Requests come through the public address of the service');
}

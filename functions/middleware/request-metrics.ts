import type { Ports } from '@svc/application/ports/ports.ts';
import type { Request } from '@middy/core';
import type { CallContext, HttpMiddleware } from '../call-context.ts';
import type { HttpEvent, HttpResult } from '../http-event.ts';

/** Counts each request, by what it asked for and how it ended. */
export function requestMetrics({ metrics }: Pick<Ports, 'metrics'>): HttpMiddleware {
  const count = async ({ context, response }: Request<HttpEvent, HttpResult, Error, CallContext>): Promise<void> => {
    await metrics.request({
      operation: context.route?.name ?? 'none',
      area: context.route?.operation.area ?? 'none',
      status: response?.statusCode ?? 500,
      seconds: (performance.now() - context.startedAt) / 1000,
    });
  };
  return { after: count, onError: count };
}

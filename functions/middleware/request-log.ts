import type { Log } from '@svc/application/ports/log.ts';
import type { Actor } from '@svc/domain';
import type { Request } from '@middy/core';
import type { CallContext, HttpMiddleware } from '../call-context.ts';
import type { HttpEvent, HttpResult } from '../http-event.ts';

/** One line a request: never a payload or a token, and never for `/health`. */
export function requestLog({ log }: { log: Log }): HttpMiddleware {
  const write = ({ context, response }: Request<HttpEvent, HttpResult, Error, CallContext>): void => {
    if (context.route?.name === 'getHealth') return;
    log.info('request', {
      operation: context.route?.name ?? null,
      actor: nameOf(context.actor),
      duration_ms: Math.round(performance.now() - context.startedAt),
      status: response?.statusCode ?? null,
    });
  };
  return { after: write, onError: write };
}

function nameOf(actor: Actor | undefined): string | null {
  return actor?.kind === 'account' ? actor.userId : (actor?.kind ?? null);
}

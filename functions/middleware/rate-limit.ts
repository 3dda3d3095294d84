import type { Ports } from '@svc/application/ports/ports.ts';
import { limitRate } from '@svc/application/system/limit-rate.ts';
import { callOf, type HttpMiddleware } from '../call-context.ts';
import { bearerToken } from './authentication.ts';

/** Counts requests of limited operations, those with wrong credentials too (service 8.1). */
export function rateLimit(ports: Pick<Ports, 'deployment' | 'rateLimiter'>): HttpMiddleware {
  return {
    before: async ({ event, context }) => {
      const { route, actor } = callOf(context);
      const { limit } = route.operation;
      if (limit !== undefined) await limitRate(ports, limit, { actor, token: bearerToken(event) });
    },
  };
}

import type { Ports } from '@svc/application/ports/ports.ts';
import { limitRate } from '@svc/application/system/limit-rate.ts';
import { callOf, type HttpMiddleware } from '../call-context.ts';
import { bearerToken } from './authentication.ts';

/**
 * Counts requests of limited operations (service 8.1), and those with a wrong token for all operations by their
 * network. The look-up that told that it is wrong costs no more than what visitors may ask for without limit; to count
 * before it would shut out the good tokens of the same network.
 */
export function rateLimit(ports: Pick<Ports, 'deployment' | 'rateLimiter'>): HttpMiddleware {
  return {
    before: async ({ event, context }) => {
      const { route, actor } = callOf(context);
      const limit = context.refusal ? 'wrong_token' : route.operation.limit;
      if (limit !== undefined) await limitRate(ports, limit, { actor, token: bearerToken(event) });
    },
  };
}

import type { Ports } from '@svc/application/ports/ports.ts';
import { limitRate } from '@svc/application/system/limit-rate.ts';
import { callOf, type HttpMiddleware } from '../call-context.ts';
import { bearerToken } from './authentication.ts';

/**
 * Counts requests of limited operations (service 8.1), and by network all requests with a wrong token. These are
 * counted after the token was looked up: counting before would refuse good tokens of the same network, too, and a
 * look-up costs no more than what visitors may do without limit.
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

import { matchOperation } from '@svc/contracts';
import { AppError, notFound } from '@svc/domain';
import type { HttpMiddleware } from '../call-context.ts';
import type { Route } from '../route.ts';

/** Finds the operation: 404 for an unknown path, 405 with `Allow` for a known one by another method. */
export function routing(routes: readonly Route[]): HttpMiddleware {
  const byOperation = new Map(routes.map((route) => [route.operation, route]));
  return {
    before: ({ event, context }) => {
      const { method: sent } = event.requestContext.http;
      const method = sent === 'HEAD' ? 'GET' : sent;
      const { found, others } = matchOperation(byOperation.keys(), method, event.rawPath);
      if (found) {
        context.route = byOperation.get(found.operation)!;
        context.params = found.params;
        return;
      }
      if (others.length === 0) throw notFound('address');
      context.answerHeaders['allow'] = others.map((operation) => operation.method).join(', ');
      throw new AppError('method_not_allowed', `This address does not take ${method}`);
    },
  };
}

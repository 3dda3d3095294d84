import { AppError, hasRole } from '@svc/domain';
import { callOf, type HttpMiddleware } from '../call-context.ts';

/** Refuses wrong credentials, then holds the operation's `access`: 401 for visitors, 403 for lower roles. */
export function access(): HttpMiddleware {
  return {
    before: ({ context }) => {
      const { route, actor } = callOf(context);
      if (context.refusal) throw context.refusal;
      const needed = route.operation.access;
      if (needed === 'anyone' || hasRole(actor, needed)) return;
      if (actor.kind === 'anonymous') throw new AppError('unauthenticated', 'Sign in first');
      throw new AppError('forbidden', `This needs the role ${needed}`);
    },
  };
}

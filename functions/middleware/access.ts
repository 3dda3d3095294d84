import { AppError, hasRole, type Actor } from '@svc/domain';
import { callOf, type HttpMiddleware } from '../call-context.ts';
import type { Route } from '../route.ts';

/**
 * Refuses wrong credentials, then holds the operation's `access`: 401 for visitors, 403 for lower roles
 * and for API tokens without the operation's scope, or when the password must be given again.
 */
export function access(): HttpMiddleware {
  return {
    before: ({ context }) => {
      const { route, actor } = callOf(context);
      if (context.refusal) throw context.refusal;
      const { access: needed, scope, taxii } = route.operation;
      if (actor.kind === 'account' && actor.token && !(scope && actor.token.scopes.includes(scope))) {
        throw new AppError('missing_scope', scope ? `This needs the scope ${scope}` : 'API tokens cannot do this');
      }
      if (needed === 'anyone' || hasRole(actor, needed)) return refuseUnconfirmed(route, actor);
      if (actor.kind === 'anonymous') {
        throw new AppError('unauthenticated', taxii ? 'Send an API token with the scope taxii:read' : 'Sign in first');
      }
      throw new AppError('forbidden', `This needs the role ${needed}`);
    },
  };
}

/** Refuses sensitive operations until the session has given its password again: the cookie alone may be stolen. */
function refuseUnconfirmed({ operation }: Route, actor: Actor): void {
  if (!operation.confirmed || actor.kind === 'anonymous' || actor.session?.isConfirmed !== false) return;
  throw new AppError('confirm_password', 'Give your password again to do this');
}

import { resolveSession } from '@svc/application/accounts/resolve-session.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { AppError } from '@svc/domain';
import type { HttpMiddleware } from '../call-context.ts';
import { sessionToken } from '../session-cookie.ts';

/**
 * Finds out who calls: the account of the session cookie, else an anonymous visitor. A bearer token
 * is decided on alone, whatever the cookie says (resolved-platform 14.4); none has been issued yet.
 */
export function authentication(ports: Pick<Ports, 'accounts' | 'sessions'>): HttpMiddleware {
  return {
    before: async ({ event, context }) => {
      if (/^bearer\b/i.test(event.headers['authorization'] ?? '')) {
        throw new AppError('unauthenticated', 'The API token is not valid');
      }
      const ip = event.requestContext.http.sourceIp;
      context.actor = await resolveSession(ports, { token: sessionToken(event.cookies), ip });
    },
  };
}

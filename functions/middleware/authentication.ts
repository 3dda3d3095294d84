import { resolveSession } from '@svc/application/auth/resolve-session.ts';
import { resolveToken } from '@svc/application/auth/resolve-token.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { AppError } from '@svc/domain';
import type { HttpMiddleware } from '../call-context.ts';
import type { HttpEvent } from '../http-event.ts';
import { sessionToken } from '../session-cookie.ts';

/**
 * Finds out who calls: the account of the session cookie, else an anonymous visitor. A bearer token
 * is decided on alone, whatever the cookie says (resolved-platform 14.4), and TAXII takes nothing else.
 * Wrong credentials are refused later, by `access`, so that they too count against rate limits.
 */
export function authentication(
  ports: Pick<Ports, 'apiTokens' | 'clock' | 'sessions' | 'sessionStore'>,
): HttpMiddleware {
  return {
    before: async ({ event, context }) => {
      const ip = event.requestContext.http.sourceIp;
      const secret = bearerToken(event);
      if (secret === null) {
        if (context.route?.operation.taxii) {
          context.actor = { kind: 'anonymous', ip };
          return;
        }
        context.actor = await resolveSession(ports, { token: sessionToken(event.cookies), ip });
        return;
      }
      try {
        context.actor = await resolveToken(ports, { secret, ip });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        context.actor = { kind: 'anonymous', ip };
        if (!context.route?.operation.ownToken) context.refusal = error;
      }
    },
  };
}

/** What stands behind `Authorization: Bearer`, which may be nothing; null for any other scheme. */
export function bearerToken({ headers }: HttpEvent): string | null {
  return /^bearer\b\s*(.*)$/is.exec(headers['authorization'] ?? '')?.[1] ?? null;
}

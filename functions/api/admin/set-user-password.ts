import { compose } from '@svc/adapters/compose.ts';
import { setUserPassword } from '@svc/application/accounts/change-user.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';
import { sessionCookie } from '../../session-cookie.ts';

const ports = compose('accounts', 'clock', 'deployment', 'passwords', 'sessions', 'sessionStore');

export const setUserPasswordRoute = route(
  operations.setUserPassword,
  (actor, input, { headers }) => setUserPassword(ports, actor, { ...input, userAgent: headers['user-agent'] }),
  ({ session }) => {
    const { secureCookies: secure } = ports.deployment.http;
    return session === null ? {} : { cookies: [sessionCookie(session, { secure })] };
  },
);

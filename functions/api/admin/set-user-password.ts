import { compose } from '@svc/adapters/compose.ts';
import { setUserPassword } from '@svc/application/accounts/change-user.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';
import { sessionCookie } from '../../session-cookie.ts';

const ports = compose('accounts', 'deployment', 'passwords', 'sessions');

export const setUserPasswordRoute = route(
  operations.setUserPassword,
  (actor, input) => setUserPassword(ports, actor, input),
  ({ session }) => {
    const { secureCookies: secure } = ports.deployment.http;
    return session === null ? {} : { cookies: [sessionCookie(session, { secure })] };
  },
);

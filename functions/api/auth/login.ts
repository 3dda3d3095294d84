import { compose } from '@svc/adapters/compose.ts';
import { login } from '@svc/application/accounts/login.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';
import { sessionCookie } from '../../session-cookie.ts';

const ports = compose('accounts', 'deployment', 'passwords', 'sessions');

export const loginRoute = route(
  operations.login,
  (actor, input) => login(ports, actor, input),
  ({ token }) => ({ cookies: [sessionCookie(token, { secure: ports.deployment.http.secureCookies })] }),
);

import { compose } from '@svc/adapters/compose.ts';
import { logout } from '@svc/application/accounts/logout.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';
import { sessionCookie } from '../../session-cookie.ts';

const ports = compose('deployment', 'sessionStore');

export const logoutRoute = route(
  operations.logout,
  (actor) => logout(ports, actor),
  () => ({ cookies: [sessionCookie(null, { secure: ports.deployment.http.secureCookies })] }),
);

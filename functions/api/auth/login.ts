import { compose } from '@svc/adapters/compose.ts';
import { login } from '@svc/application/accounts/login.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';
import { sessionCookie } from '../../session-cookie.ts';

const ports = compose(
  'accounts',
  'clock',
  'deployment',
  'knownNetworks',
  'passwords',
  'rateLimiter',
  'sessions',
  'sessionStore',
);

export const loginRoute = route(
  operations.login,
  (actor, input, { headers }) => login(ports, actor, { ...input, userAgent: headers['user-agent'] }),
  ({ token }) => ({ cookies: [sessionCookie(token, { secure: ports.deployment.http.secureCookies })] }),
);

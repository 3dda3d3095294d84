import { compose } from '@svc/adapters/compose.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';
import { sessionCookie } from '../../session-cookie.ts';

const { deployment } = compose('deployment');

/** Sessions live in their cookie alone, so that is all there is to end. */
export const logoutRoute = route(
  operations.logout,
  () => Promise.resolve(),
  () => ({ cookies: [sessionCookie(null, { secure: deployment.http.secureCookies })] }),
);

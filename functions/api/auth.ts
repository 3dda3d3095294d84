import { confirmPassword } from '@svc/application/accounts/confirm-password.ts';
import { endOtherSessions, endSession } from '@svc/application/accounts/end-sessions.ts';
import { getMe } from '@svc/application/accounts/get-me.ts';
import { getSession } from '@svc/application/accounts/get-session.ts';
import { listSessions } from '@svc/application/accounts/list-sessions.ts';
import { login } from '@svc/application/accounts/login.ts';
import { logout } from '@svc/application/accounts/logout.ts';
import { updateMe } from '@svc/application/accounts/update-me.ts';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import { type PortsOf, presented, type TableOf } from '../route.ts';
import { sessionCookie } from '../session-cookie.ts';

const table = {
  confirmPassword,
  endOtherSessions,
  endSession,
  getMe,
  getSession,
  listSessions,
  login: presented(
    (ports: PortsOf<typeof login>, actor, input, { headers }) =>
      login(ports, actor, { ...input, userAgent: headers['user-agent'] }),
    ({ token }, { secureCookies: secure }) => ({ cookies: [sessionCookie(token, { secure })] }),
  ),
  logout: presented(logout, (_, { secureCookies: secure }) => ({ cookies: [sessionCookie(null, { secure })] })),
  updateMe,
} satisfies TableOf<'auth'>;

export const handler = areaHandler(areaPorts.auth, table);

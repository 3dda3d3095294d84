import { confirmPassword } from '@svc/application/auth/confirm-password.ts';
import { endOtherSessions, endSession } from '@svc/application/auth/end-sessions.ts';
import { getMe } from '@svc/application/auth/get-me.ts';
import { getSession } from '@svc/application/auth/get-session.ts';
import { listSessions } from '@svc/application/auth/list-sessions.ts';
import { login } from '@svc/application/auth/login.ts';
import { logout } from '@svc/application/auth/logout.ts';
import { updateMe } from '@svc/application/auth/update-me.ts';
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

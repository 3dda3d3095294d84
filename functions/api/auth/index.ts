import { httpHandler } from '../../http-handler.ts';
import { confirmPasswordRoute } from './confirm-password.ts';
import { endOtherSessionsRoute } from './end-other-sessions.ts';
import { endSessionRoute } from './end-session.ts';
import { getMeRoute } from './get-me.ts';
import { getSessionRoute } from './get-session.ts';
import { listSessionsRoute } from './list-sessions.ts';
import { loginRoute } from './login.ts';
import { logoutRoute } from './logout.ts';
import { updateMeRoute } from './update-me.ts';

export const handler = httpHandler([
  confirmPasswordRoute,
  endOtherSessionsRoute,
  endSessionRoute,
  getMeRoute,
  getSessionRoute,
  listSessionsRoute,
  loginRoute,
  logoutRoute,
  updateMeRoute,
]);

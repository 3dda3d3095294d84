import { httpHandler } from '../../http-handler.ts';
import { getMeRoute } from './get-me.ts';
import { getSessionRoute } from './get-session.ts';
import { loginRoute } from './login.ts';
import { logoutRoute } from './logout.ts';
import { updateMeRoute } from './update-me.ts';

export const handler = httpHandler([getMeRoute, getSessionRoute, loginRoute, logoutRoute, updateMeRoute]);

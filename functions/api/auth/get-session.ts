import { compose } from '@svc/adapters/compose.ts';
import { getSession } from '@svc/application/accounts/get-session.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('accounts');

export const getSessionRoute = route(operations.getSession, (actor) => getSession(ports, actor));

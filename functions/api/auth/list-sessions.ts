import { compose } from '@svc/adapters/compose.ts';
import { listSessions } from '@svc/application/accounts/list-sessions.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'sessionStore');

export const listSessionsRoute = route(operations.listSessions, (actor) => listSessions(ports, actor));

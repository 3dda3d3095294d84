import { compose } from '@svc/adapters/compose.ts';
import { endOtherSessions } from '@svc/application/accounts/end-sessions.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('sessionStore');

export const endOtherSessionsRoute = route(operations.endOtherSessions, (actor) => endOtherSessions(ports, actor));

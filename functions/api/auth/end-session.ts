import { compose } from '@svc/adapters/compose.ts';
import { endSession } from '@svc/application/accounts/end-sessions.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('sessionStore');

export const endSessionRoute = route(operations.endSession, (actor, input) => endSession(ports, actor, input));

import { compose } from '@svc/adapters/compose.ts';
import { setUserActive } from '@svc/application/accounts/change-user.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('accounts');

export const setUserActiveRoute = route(operations.setUserActive, (actor, input) => setUserActive(ports, actor, input));

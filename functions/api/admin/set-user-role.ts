import { compose } from '@svc/adapters/compose.ts';
import { setUserRole } from '@svc/application/accounts/change-user.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('accounts');

export const setUserRoleRoute = route(operations.setUserRole, (actor, input) => setUserRole(ports, actor, input));

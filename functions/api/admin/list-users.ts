import { compose } from '@svc/adapters/compose.ts';
import { listUsers } from '@svc/application/accounts/list-users.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('accounts');

export const listUsersRoute = route(operations.listUsers, () => listUsers(ports));

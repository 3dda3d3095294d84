import { compose } from '@svc/adapters/compose.ts';
import { deleteUser } from '@svc/application/accounts/change-user.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('accounts');

export const deleteUserRoute = route(operations.deleteUser, (actor, input) => deleteUser(ports, actor, input));

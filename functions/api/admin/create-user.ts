import { compose } from '@svc/adapters/compose.ts';
import { createUser } from '@svc/application/accounts/create-user.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('accounts', 'passwords');

export const createUserRoute = route(operations.createUser, (actor, input) => createUser(ports, actor, input));

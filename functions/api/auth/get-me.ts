import { compose } from '@svc/adapters/compose.ts';
import { getMe } from '@svc/application/accounts/get-me.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('accounts');

export const getMeRoute = route(operations.getMe, (actor) => getMe(ports, actor));

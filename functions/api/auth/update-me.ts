import { compose } from '@svc/adapters/compose.ts';
import { updateMe } from '@svc/application/accounts/update-me.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('accounts', 'passwords', 'rateLimiter');

export const updateMeRoute = route(operations.updateMe, (actor, input) => updateMe(ports, actor, input));

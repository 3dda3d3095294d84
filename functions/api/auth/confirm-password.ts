import { compose } from '@svc/adapters/compose.ts';
import { confirmPassword } from '@svc/application/accounts/confirm-password.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('accounts', 'clock', 'passwords', 'rateLimiter', 'sessionStore');

export const confirmPasswordRoute = route(operations.confirmPassword, (actor, input) =>
  confirmPassword(ports, actor, input),
);

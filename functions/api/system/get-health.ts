import { compose } from '@svc/adapters/compose.ts';
import { sharedHealth } from '@svc/application/system/get-health.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const health = sharedHealth(compose('clock', 'database', 'deployment', 'keyValue', 'log', 'objects'));

export const getHealthRoute = route(operations.getHealth, health, ({ status }) => ({
  status: status === 'ok' ? 200 : 503,
}));

import { compose } from '@svc/adapters/compose.ts';
import { getHealth } from '@svc/application/system/get-health.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('database', 'deployment', 'keyValue', 'log', 'objects');

export const getHealthRoute = route(
  operations.getHealth,
  (actor) => getHealth(ports, actor),
  ({ status }) => ({ status: status === 'ok' ? 200 : 503 }),
);

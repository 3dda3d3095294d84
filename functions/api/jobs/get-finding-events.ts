import { compose } from '@svc/adapters/compose.ts';
import { getFindingEvents } from '@svc/application/jobs/get-finding-events.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('findings', 'settings');

export const getFindingEventsRoute = route(operations.getFindingEvents, (actor, input) =>
  getFindingEvents(ports, actor, input),
);

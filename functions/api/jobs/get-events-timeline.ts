import { compose } from '@svc/adapters/compose.ts';
import { getEventsTimeline } from '@svc/application/jobs/get-events-timeline.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('derivations', 'jobViews', 'settings');

export const getEventsTimelineRoute = route(operations.getEventsTimeline, (actor, input) =>
  getEventsTimeline(ports, actor, input),
);

import { compose } from '@svc/adapters/compose.ts';
import { recalculateAnalytics } from '@svc/application/jobs/recalculate-analytics.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('backgroundTasks', 'clock', 'jobs');

export const recalculateAnalyticsRoute = route(operations.recalculateAnalytics, (actor, input) =>
  recalculateAnalytics(ports, actor, input),
);

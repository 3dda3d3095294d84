import { compose } from '@svc/adapters/compose.ts';
import { getAnalytics } from '@svc/application/jobs/get-analytics.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('derivations', 'findings', 'jobViews', 'settings');

export const getAnalyticsRoute = route(operations.getAnalytics, (actor, input) => getAnalytics(ports, actor, input));

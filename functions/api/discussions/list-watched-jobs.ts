import { compose } from '@svc/adapters/compose.ts';
import { listWatchedJobs } from '@svc/application/watches/list-watched-jobs.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('jobViews', 'watches');

export const listWatchedJobsRoute = route(operations.listWatchedJobs, (actor) => listWatchedJobs(ports, actor));

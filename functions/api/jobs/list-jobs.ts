import { compose } from '@svc/adapters/compose.ts';
import { listJobs } from '@svc/application/jobs/list-jobs.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('jobViews');

export const listJobsRoute = route(operations.listJobs, (actor, input) => listJobs(ports, actor, input));

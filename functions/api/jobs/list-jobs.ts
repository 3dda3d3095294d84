import { compose } from '@svc/adapters/compose.ts';
import { listJobs } from '@svc/application/jobs/list-jobs.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'jobLists', 'tags');

export const listJobsRoute = route(operations.listJobs, (actor, input) => listJobs(ports, actor, input));

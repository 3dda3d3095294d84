import { compose } from '@svc/adapters/compose.ts';
import { getJob } from '@svc/application/jobs/get-job.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'comments', 'files', 'jobs', 'jobViews', 'rulePacks', 'settings', 'watches');

export const getJobRoute = route(operations.getJob, (actor, input) => getJob(ports, actor, input));

import { compose } from '@svc/adapters/compose.ts';
import { getCorrelatedJobs } from '@svc/application/jobs/get-correlated-jobs.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('findings', 'jobViews');

export const getCorrelatedJobsRoute = route(operations.getCorrelatedJobs, (actor, input) =>
  getCorrelatedJobs(ports, actor, input),
);

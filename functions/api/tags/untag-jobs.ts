import { compose } from '@svc/adapters/compose.ts';
import { untagJobs } from '@svc/application/tags/untag-jobs.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('jobViews', 'tags');

export const untagJobsRoute = route(operations.untagJobs, (actor, input) => untagJobs(ports, actor, input));

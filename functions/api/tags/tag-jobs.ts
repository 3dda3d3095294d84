import { compose } from '@svc/adapters/compose.ts';
import { tagJobs } from '@svc/application/tags/tag-jobs.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'jobViews', 'tags');

export const tagJobsRoute = route(operations.tagJobs, (actor, input) => tagJobs(ports, actor, input));

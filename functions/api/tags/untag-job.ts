import { compose } from '@svc/adapters/compose.ts';
import { untagJob } from '@svc/application/tags/untag-job.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('jobViews', 'tags');

export const untagJobRoute = route(operations.untagJob, (actor, input) => untagJob(ports, actor, input));

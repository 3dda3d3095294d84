import { compose } from '@svc/adapters/compose.ts';
import { tagJob } from '@svc/application/tags/tag-job.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'jobViews', 'tags');

export const tagJobRoute = route(operations.tagJob, (actor, input) => tagJob(ports, actor, input));

import { compose } from '@svc/adapters/compose.ts';
import { watchJob } from '@svc/application/watches/watch-job.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'jobViews', 'watches');

export const watchJobRoute = route(operations.watchJob, (actor, input) => watchJob(ports, actor, input));

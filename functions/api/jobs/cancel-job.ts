import { compose } from '@svc/adapters/compose.ts';
import { cancelJob } from '@svc/application/jobs/cancel-job.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'jobViews', 'jobs', 'ledger');

export const cancelJobRoute = route(operations.cancelJob, (actor, input) => cancelJob(ports, actor, input));

import { compose } from '@svc/adapters/compose.ts';
import { resubmitJob } from '@svc/application/submissions/resubmit-job.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'files', 'jobs', 'settings', 'tasks', 'workflows');

export const resubmitJobRoute = route(operations.resubmitJob, (actor, input) => resubmitJob(ports, actor, input));

import { compose } from '@svc/adapters/compose.ts';
import { resubmitJob } from '@svc/application/submissions/resubmit-job.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose(
  ...([
    'clock',
    'deployment',
    'engines',
    'files',
    'jobs',
    'launcher',
    'log',
    'settings',
    'tasks',
    'workflows',
  ] as const),
);

export const resubmitJobRoute = route(operations.resubmitJob, (actor, input) => resubmitJob(ports, actor, input));

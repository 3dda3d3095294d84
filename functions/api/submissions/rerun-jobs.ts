import { compose } from '@svc/adapters/compose.ts';
import { rerunJobs } from '@svc/application/submissions/rerun-jobs.ts';
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

export const rerunJobsRoute = route(operations.rerunJobs, (actor, input) => rerunJobs(ports, actor, input));

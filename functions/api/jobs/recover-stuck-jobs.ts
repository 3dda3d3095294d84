import { compose } from '@svc/adapters/compose.ts';
import { recoverStuckJobs } from '@svc/application/analysis/recover-stuck-jobs.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose(
  'clock',
  'deployment',
  'engines',
  'jobViews',
  'jobs',
  'launcher',
  'ledger',
  'log',
  'tasks',
  'workflows',
);

export const recoverStuckJobsRoute = route(operations.recoverStuckJobs, async () => ({
  recovered: await recoverStuckJobs(ports, 'admin'),
}));

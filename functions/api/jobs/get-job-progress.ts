import { compose } from '@svc/adapters/compose.ts';
import { getJobProgress } from '@svc/application/jobs/get-job-progress.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'files', 'jobViews');

export const getJobProgressRoute = route(operations.getJobProgress, (actor, input) =>
  getJobProgress(ports, actor, input),
);

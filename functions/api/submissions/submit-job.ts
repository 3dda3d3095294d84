import { compose } from '@svc/adapters/compose.ts';
import { submitJob } from '@svc/application/submissions/submit-job.ts';
import { operations } from '@svc/contracts';
import { presentSubmission } from '../../present-submission.ts';
import { route } from '../../route.ts';

const ports = compose(
  'cases',
  'clock',
  'files',
  'jobs',
  'objects',
  'receipts',
  'settings',
  'tasks',
  'uploads',
  'workflows',
);

export const submitJobRoute = route(
  operations.submitJob,
  (actor, input) => submitJob(ports, actor, input),
  presentSubmission,
);

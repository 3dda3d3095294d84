import { submitJob } from '@svc/application/submissions/submit-job.ts';
import { operations } from '@svc/contracts';
import { presentSubmission } from '../../present-submission.ts';
import { route } from '../../route.ts';
import { acceptPorts } from '../../accept-ports.ts';

export const submitJobRoute = route(
  operations.submitJob,
  (actor, input) => submitJob(acceptPorts, actor, input),
  presentSubmission,
);

import { compose } from '@svc/adapters/compose.ts';
import { submitSample } from '@svc/application/submissions/submit-sample.ts';
import { operations } from '@svc/contracts';
import { presentSubmission } from '../../present-submission.ts';
import { route } from '../../route.ts';
import { acceptPorts } from '../../accept-ports.ts';

const ports = { ...acceptPorts, ...compose('shipped') };

export const submitSampleRoute = route(
  operations.submitSample,
  (actor, input) => submitSample(ports, actor, input),
  presentSubmission,
);

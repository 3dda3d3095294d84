import { compose } from '@svc/adapters/compose.ts';
import { getSubmission } from '@svc/application/submissions/get-submission.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('jobs', 'receipts');

export const getSubmissionRoute = route(operations.getSubmission, (actor, input) => getSubmission(ports, actor, input));

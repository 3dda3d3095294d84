import { compose } from '@svc/adapters/compose.ts';
import { getJobStates } from '@svc/application/submissions/get-job-states.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('jobViews');

export const getJobStatesRoute = route(operations.getJobStates, (actor, input) => getJobStates(ports, actor, input));

import { compose } from '@svc/adapters/compose.ts';
import { listRawOutputs } from '@svc/application/jobs/list-raw-outputs.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('backgroundTasks', 'jobs', 'jobViews', 'rawOutputs');

export const listRawOutputsRoute = route(operations.listRawOutputs, (_actor, input) => listRawOutputs(ports, input));

import { compose } from '@svc/adapters/compose.ts';
import { getTaskLog } from '@svc/application/jobs/get-task-log.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('deployment', 'jobViews');

export const getTaskLogRoute = route(operations.getTaskLog, (_actor, input) => getTaskLog(ports, input));

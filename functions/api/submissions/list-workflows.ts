import { compose } from '@svc/adapters/compose.ts';
import { listWorkflows } from '@svc/application/submissions/list-workflows.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('workflows');

export const listWorkflowsRoute = route(operations.listWorkflows, (actor) => listWorkflows(ports, actor));

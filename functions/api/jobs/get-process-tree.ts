import { compose } from '@svc/adapters/compose.ts';
import { getProcessTree } from '@svc/application/jobs/get-process-tree.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('derivations', 'jobViews', 'settings');

export const getProcessTreeRoute = route(operations.getProcessTree, (actor, input) =>
  getProcessTree(ports, actor, input),
);

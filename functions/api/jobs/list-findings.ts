import { compose } from '@svc/adapters/compose.ts';
import { listFindings } from '@svc/application/jobs/list-findings.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('findings', 'jobViews');

export const listFindingsRoute = route(operations.listFindings, (actor, input) => listFindings(ports, actor, input));

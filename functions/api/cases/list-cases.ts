import { compose } from '@svc/adapters/compose.ts';
import { listCases } from '@svc/application/cases/list-cases.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('cases');

export const listCasesRoute = route(operations.listCases, (actor, input) => listCases(ports, actor, input));

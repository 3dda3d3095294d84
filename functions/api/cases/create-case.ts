import { compose } from '@svc/adapters/compose.ts';
import { createCase } from '@svc/application/cases/create-case.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('cases', 'clock', 'receipts', 'settings');

export const createCaseRoute = route(
  operations.createCase,
  (actor, input) => createCase(ports, actor, input),
  ({ replayed }) => ({ status: replayed ? 200 : 201 }),
);

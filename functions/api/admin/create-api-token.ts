import { compose } from '@svc/adapters/compose.ts';
import { createApiToken } from '@svc/application/tokens/create-api-token.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('apiTokens', 'clock');

export const createApiTokenRoute = route(operations.createApiToken, (actor, input) =>
  createApiToken(ports, actor, input),
);

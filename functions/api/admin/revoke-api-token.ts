import { compose } from '@svc/adapters/compose.ts';
import { revokeApiToken } from '@svc/application/tokens/revoke-api-token.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('apiTokens', 'clock');

export const revokeApiTokenRoute = route(operations.revokeApiToken, (actor, input) =>
  revokeApiToken(ports, actor, input),
);

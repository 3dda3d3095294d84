import { compose } from '@svc/adapters/compose.ts';
import { listApiTokens } from '@svc/application/tokens/list-api-tokens.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('apiTokens', 'clock');

/** A proxy's basic authentication takes the header that tokens need, so whoever reads the list is told of it. */
export const listApiTokensRoute = route(operations.listApiTokens, async (_actor, _input, { headers }) => ({
  tokens: await listApiTokens(ports),
  behind_basic_auth: /^basic\b/i.test(headers['authorization'] ?? ''),
}));

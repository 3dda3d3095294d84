import { httpHandler } from '../../http-handler.ts';
import { getHealthRoute } from './get-health.ts';
import { getOpenApiRoute } from './get-open-api.ts';

export const handler = httpHandler([getHealthRoute, getOpenApiRoute]);

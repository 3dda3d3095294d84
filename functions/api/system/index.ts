import { httpHandler } from '../../http-handler.ts';
import { getHealthRoute } from './get-health.ts';

export const handler = httpHandler([getHealthRoute]);

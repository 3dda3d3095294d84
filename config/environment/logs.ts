import { z } from 'zod';
import { flag } from './values.ts';

/** Variables of the log, and of development. */
export const logVariables = {
  LOG_LEVEL: z
    .string()
    .toUpperCase()
    .pipe(z.enum(['DEBUG', 'INFO', 'WARNING', 'ERROR']))
    .default('INFO')
    .describe('Least important log lines to write: DEBUG, INFO, WARNING or ERROR.'),
  LOG_FORMAT: z.enum(['text', 'json']).default('text').describe('Log lines for people or for programs.'),
  REQUEST_LOG_ENABLED: flag().describe('One log line a request; never for static files and /health.'),
  DEBUG: flag().describe(
    'For development only: session cookies also over plain HTTP, and /api/docs, /api/redoc and /api/openapi.json.',
  ),
  COOKIE_INSECURE: flag().describe('Session cookies also over plain HTTP, for a trusted network without TLS.'),
};

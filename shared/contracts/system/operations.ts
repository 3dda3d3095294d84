import { z } from 'zod';
import type { Operation } from '../operation.ts';

const Probe = z.enum(['ok', 'error']);

export const Health = z.object({
  status: Probe,
  database: Probe,
  kv: Probe,
  storage: Probe,
  migrations: z.enum(['at_head', 'pending', 'error']),
  /** `low` while results wait for space on the disk; not there where the store has no bound to know of. */
  space: z.literal('low').optional(),
  version: z.string(),
});
export type Health = z.output<typeof Health>;

export const systemOperations = {
  getHealth: {
    area: 'system',
    method: 'GET',
    path: '/health',
    summary: 'Whether the service and what it stands on work; 503 when not',
    access: 'anyone',
    success: [200, 503],
    output: Health,
    errors: [],
  },
  getMetrics: {
    area: 'system',
    method: 'GET',
    path: '/metrics',
    summary: 'The service in numbers, as OpenMetrics, for whoever sends METRICS_TOKEN as a bearer token',
    access: 'anyone',
    ownToken: true,
    success: [200],
    output: null,
    bytes: 'application/openmetrics-text',
    errors: ['bad_token', 'not_found', 'unauthenticated'],
  },
  getOpenApi: {
    area: 'system',
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This description of the service as OpenAPI; only with DEBUG',
    access: 'anyone',
    success: [200],
    output: z.looseObject({ openapi: z.string() }),
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;

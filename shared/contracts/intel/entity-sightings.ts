import { z } from 'zod';
import { PathId, Severity, SeveritySummary } from '../fields.ts';
import type { Operation } from '../operation.ts';

/** When an entity was seen, by jobs that the caller sees (resolved-intel 5.1). */
export const entitySightingOperations = {
  getEntitySightings: {
    area: 'intel',
    method: 'GET',
    path: '/intel/entities/{id}/sightings',
    summary:
      'When the newest 500 visible jobs that name an entity saw it, by day or week, and the findings that name it',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    success: [200],
    output: z.object({
      step: z.enum(['day', 'week']),
      /** Those in which it was seen, the earliest first; times are in milliseconds, both ends belong to it. */
      buckets: z.array(
        z.object({
          from: z.number(),
          to: z.number(),
          jobs: z.number().int(),
          /** The worst of their findings that name it. */
          severity: Severity.nullable(),
        }),
      ),
      /** Jobs that are counted here, and whether there are more. */
      jobs: z.number().int(),
      is_cut: z.boolean(),
      /** Those of them of which no event is known to tell a time: they stand where they were submitted. */
      undated: z.number().int(),
      /** Findings of them that name it, and jobs that have one. */
      findings: SeveritySummary,
      jobs_with_findings: z.number().int(),
    }),
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;

import { z } from 'zod';
import { PathId, Severity, SeveritySummary } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { EntityName, RelationGroup } from './entity-links.ts';

/** What an entity’s page begins with, of jobs that the caller sees (resolved-intel 5.1). */
export const entityOverviewOperations = {
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
          /** The jobs by the worst of their own, null where there is none; the worst first. */
          severities: z.array(z.object({ severity: Severity.nullable(), jobs: z.number().int() })),
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
  getEntityThreats: {
    area: 'intel',
    method: 'GET',
    path: '/intel/entities/{id}/threats',
    summary:
      'What the heuristics found in the newest 40 visible jobs that name an entity, whatever it had to do with it',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    success: [200],
    output: z.object({
      /** Those of the most jobs first; null where the site does not show heuristics. */
      categories: z
        .array(
          z.object({
            category: z.string(),
            label: z.string(),
            /** Jobs with an indicator of it. */
            jobs: z.number().int(),
            /** The worst of these. */
            severity: Severity,
            /** Whether an indicator of it names the entity. */
            direct: z.boolean(),
          }),
        )
        .nullable(),
      severity: Severity.nullable(),
      /** Indicators, over all of these jobs. */
      total: z.number().int(),
    }),
    errors: ['not_found'],
  },
  listAssociatedEntities: {
    area: 'intel',
    method: 'GET',
    path: '/intel/entities/{id}/associated',
    summary: 'What an entity is related to in the ways that tell most of its type, the 10 strongest of each way',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    success: [200],
    output: z.object({
      groups: z.array(
        RelationGroup.pick({ rel_type: true, label: true, direction: true }).extend({
          total: z.number().int(),
          rows: z.array(z.object({ other: EntityName, occurrence_count: z.number().int() })),
        }),
      ),
    }),
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;

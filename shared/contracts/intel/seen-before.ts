import { entityLimits, entityTypes } from '@svc/domain';
import { z } from 'zod';
import { Page, PathId } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { ListPart } from './entity-links.ts';
import { EntityRow, EntityType } from './entity-list.ts';

/** Something that a job names, with where else it was seen: in jobs of other files that the caller sees. */
export const SeenEntity = EntityRow.pick({
  id: true,
  value: true,
  entity_type: true,
  first_seen_at: true,
  last_seen_at: true,
  allowlisted: true,
  tags: true,
}).extend({
  /** Of these jobs, those submitted before this one. */
  jobs_before: z.number().int(),
  jobs: z.number().int(),
});
export type SeenEntity = z.output<typeof SeenEntity>;

/** What of a job was seen before, and what is new. */
export const seenBeforeOperations = {
  getSeenBefore: {
    area: 'intel',
    method: 'GET',
    path: '/intel/jobs/{id}/seen',
    summary: 'What a job names that earlier jobs of other files name too, or what is new in it, 50 a page',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    query: z.object({ which: z.enum(['seen', 'new']).default('seen'), page: Page }),
    success: [200],
    output: z.object({
      /** Of all that the job names. */
      total: z.number().int(),
      seen: z.number().int(),
      counts: z.array(z.object({ entity_type: EntityType, total: z.number().int(), seen: z.number().int() })),
      /** Those that a finding of the job names first, then what the fewest jobs name. */
      list: z.object({ ...ListPart, items: z.array(SeenEntity) }),
    }),
    errors: ['not_found'],
  },
  lookUpEntities: {
    area: 'intel',
    method: 'POST',
    path: '/intel/jobs/{id}/known',
    summary: 'What is known of up to 500 values of a job’s report',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    body: z.object({
      entities: z
        .array(z.object({ entity_type: z.enum(entityTypes), value: z.string().max(entityLimits.value) }))
        .max(entityLimits.atOnce),
    }),
    success: [200],
    /** Those of them that are known, with the place of each among what was asked for. */
    output: z.object({ items: z.array(SeenEntity.extend({ place: z.number().int() })) }),
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;

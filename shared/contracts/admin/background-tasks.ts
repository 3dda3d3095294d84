import { z } from 'zod';
import { PathId, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';

/** What somebody has had done aside from requests, and how far it is (resolved-platform 16.2). */
export const BackgroundTask = z.object({
  id: z.number().int(),
  kind: z.string(),
  /** The job that it is about; null for all there is. */
  target_id: z.number().int().nullable(),
  requested_by: z.string(),
  status: z.enum(['pending', 'running', 'completed', 'failed', 'cancelled']),
  /** How far it is, and in the end what came of it. */
  detail: z.string().nullable(),
  error: z.string().nullable(),
  created_at: Timestamp,
  started_at: Timestamp.nullable(),
  /** When it last said how far it is. */
  heartbeat_at: Timestamp.nullable(),
  finished_at: Timestamp.nullable(),
});
export type BackgroundTask = z.output<typeof BackgroundTask>;

const backfill = {
  area: 'admin',
  method: 'POST',
  access: 'admin',
  success: [202],
  /** `already` for one that was under way. */
  output: z.object({ task_id: z.number().int(), already: z.boolean() }),
  errors: [],
} as const;

export const backgroundTaskOperations = {
  listBackgroundTasks: {
    area: 'admin',
    method: 'GET',
    path: '/admin/tasks',
    summary: 'The last 50 tasks that administrators have asked for, and how far they are',
    access: 'admin',
    success: [200],
    output: z.object({ tasks: z.array(BackgroundTask) }),
    errors: [],
  },
  cancelBackgroundTask: {
    area: 'admin',
    method: 'POST',
    path: '/admin/tasks/{id}/cancel',
    summary: 'Have a task do no more; what it has done stays',
    access: 'admin',
    params: PathId,
    success: [200],
    output: BackgroundTask,
    errors: ['conflict', 'not_found'],
  },
  backfillEntities: {
    ...backfill,
    path: '/admin/backfill-entities',
    summary: 'Store the entities of all jobs anew, with their links to jobs and findings',
  },
  backfillBuiltinLabels: {
    ...backfill,
    path: '/admin/backfill-builtin-labels',
    summary: 'Give all entities the tags of the shared alert rules that are switched on',
  },
  backfillEntityAttributes: {
    ...backfill,
    path: '/admin/backfill-entity-attributes',
    summary: 'Work out the attributes of all entities anew, by the threat-detection file as it is now',
  },
  backfillRelationships: {
    ...backfill,
    path: '/admin/backfill-relationships',
    summary: 'Read the logs of earlier versions’ jobs again for how what they name is related, and what is in them',
  },
  backfillFindingEntityLinks: {
    ...backfill,
    path: '/admin/backfill-finding-entity-links',
    summary: 'Link the findings of all jobs to the entities that they name anew',
  },
} as const satisfies Record<string, Operation>;

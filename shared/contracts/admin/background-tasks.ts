import { z } from 'zod';
import { PathId, Timestamp } from '../fields.ts';
import { JobRow } from '../jobs/operations.ts';
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

const Queued = z.object({
  /** Those that are shown may be the first of many. */
  size: z.number().int(),
  /** Whether there are more than `size`, as only so many were counted. */
  is_more: z.boolean(),
  entries: z.array(
    z.object({
      queue_id: z.string(),
      /** `unknown` is one that a later version has queued. */
      kind: z.string(),
      lane: z.string(),
      /** How often it was begun. */
      attempts: z.number().int(),
      /** The job, finding or back-test that it is about; null for all there is. */
      target_id: z.number().int().nullable(),
      /** The name of its job. */
      name: z.string().nullable(),
      queued_at: Timestamp.nullable(),
      /** Nobody takes it before. */
      due_at: Timestamp.nullable(),
    }),
  ),
});
export type QueuedEntry = z.output<typeof Queued>['entries'][number];

const Scheduled = z.object({
  key: z.string(),
  label: z.string(),
  next_run: Timestamp,
  /** Null before its first run. */
  last: z
    .object({
      ts: Timestamp,
      duration_ms: z.number().int(),
      outcome: z.enum(['completed', 'failed']),
      /** What it did, or why it failed. */
      detail: z.string(),
    })
    .nullable(),
});
export type Scheduled = z.output<typeof Scheduled>;

const Requested = z.object({ task_id: z.number().int(), already: z.boolean() });

const backfill = {
  area: 'admin',
  method: 'POST',
  access: 'admin',
  success: [202],
  /** `already` for one that was under way. */
  output: Requested,
  errors: [],
} as const;

export const backgroundTaskOperations = {
  listTasks: {
    area: 'admin',
    method: 'GET',
    path: '/admin/tasks',
    summary: 'What is worked on, what was, what waits in the queue, and what is done again and again',
    access: 'admin',
    success: [200],
    output: z.object({
      active_jobs: z.array(JobRow),
      recent_jobs: z.array(JobRow),
      active_tasks: z.array(BackgroundTask),
      recent_tasks: z.array(BackgroundTask),
      queue: Queued,
      /** What waits for its time. */
      delayed: Queued,
      scheduled: z.array(Scheduled),
      /** Active tasks that no worker reports on. */
      stale_ids: z.array(z.number().int()),
    }),
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
  runTaskAgain: {
    area: 'admin',
    method: 'POST',
    path: '/admin/tasks/{id}/run-again',
    summary: 'Have the same done again, as a task of its own',
    access: 'admin',
    params: PathId,
    success: [202],
    output: Requested,
    errors: ['conflict', 'not_found'],
  },
  recoverTask: {
    area: 'admin',
    method: 'POST',
    path: '/admin/tasks/{id}/recover',
    summary: 'Close a task that no worker reports on any more',
    access: 'admin',
    params: PathId,
    success: [200],
    output: BackgroundTask,
    errors: ['conflict', 'not_found'],
  },
  revokeQueuedTask: {
    area: 'admin',
    method: 'POST',
    path: '/admin/tasks/queue/{queue_id}/revoke',
    summary: 'Take a task out of the queue before a worker begins it, and end what it was for',
    access: 'admin',
    params: z.object({ queue_id: z.string().min(1).max(200) }),
    success: [200],
    output: z.object({ queue_id: z.string(), kind: z.string() }),
    errors: ['conflict', 'not_found'],
  },
  cleanUpOutputs: {
    ...backfill,
    path: '/admin/cleanup-outputs',
    summary: 'Remove raw outputs whose time is over now',
  },
  backfillSimilarity: {
    ...backfill,
    path: '/admin/backfill-similarity',
    summary: 'Make the similarity digests of files that have none',
  },
  backfillAnalytics: {
    ...backfill,
    path: '/admin/backfill-analytics',
    summary:
      'Derive the analytics of all jobs again from their raw outputs, by the files of fields and threats as they are now',
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

import { z } from 'zod';
import { PathId, TaskStatus, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { Analytics } from './operations.ts';

const sectionNames = ['mitre', 'timeline', 'entities', 'threats'] as const;
export type AnalyticsSection = (typeof sectionNames)[number];

/** What the tasks of a job have left for administrators. */
export const RawOutputs = z.object({
  /** The last time that the analytics were derived again. */
  recalculation: z
    .object({
      task_id: z.number().int(),
      status: z.enum(['pending', 'running', 'completed', 'failed', 'cancelled']),
      /** What came of it, in a sentence that begins with `kept` where nothing was changed. */
      detail: z.string().nullable(),
      asked_at: Timestamp,
    })
    .nullable(),
  tasks: z.array(
    z.object({
      id: z.number().int(),
      tool: z.string(),
      status: TaskStatus,
      outputs: z.array(
        z.object({
          name: z.string(),
          size_bytes: z.number().int(),
          /** False when there was more than is kept. */
          complete: z.boolean(),
          created_at: Timestamp,
        }),
      ),
    }),
  ),
});
export type RawOutputs = z.output<typeof RawOutputs>;

/** What administrators do with what tasks have left (resolved-platform 3.4 and 11). */
export const rawOutputOperations = {
  recalculateAnalytics: {
    area: 'report',
    method: 'POST',
    path: '/jobs/{id}/recalculate-analytics',
    summary: 'Have analytics, timeline and processes derived again from the raw outputs; a repeat names the same task',
    access: 'admin',
    params: PathId,
    success: [202],
    output: z.object({ task_id: z.number().int(), already: z.boolean() }),
    errors: ['not_found', 'conflict'],
  },
  downloadFile: {
    area: 'report',
    method: 'GET',
    path: '/jobs/{id}/download',
    summary: 'The file that was submitted, under the name that it was submitted with; 302 where the store sends it',
    access: 'admin',
    params: PathId,
    success: [200, 302],
    output: null,
    errors: ['not_found', 'upload_missing'],
  },
  exportRaw: {
    area: 'report',
    method: 'GET',
    path: '/jobs/{id}/export-raw',
    summary: 'What the engines put out, as a ZIP; 302 where the store sends it',
    access: 'admin',
    params: PathId,
    success: [200, 302],
    output: null,
    errors: ['not_found'],
  },
  listRawOutputs: {
    area: 'report',
    method: 'GET',
    path: '/jobs/{id}/raw-outputs',
    summary: 'The tasks of a job with the raw outputs that are kept of them',
    access: 'admin',
    params: PathId,
    success: [200],
    output: RawOutputs,
    errors: ['not_found'],
  },
  getTaskLog: {
    area: 'report',
    method: 'GET',
    path: '/jobs/task-results/{id}/log',
    summary: 'What an engine said while it ran',
    access: 'admin',
    params: PathId,
    success: [200],
    /** `truncated` when it was longer than is kept. */
    output: z.object({ log_output: z.string(), truncated: z.boolean() }),
    errors: ['not_found'],
  },
  exportAnalytics: {
    area: 'report',
    method: 'GET',
    path: '/jobs/{id}/analytics.json',
    summary: `Parts of the analytics as a download: a comma list of ${sectionNames.join(', ')}, or all of them`,
    access: 'admin',
    params: PathId,
    query: z.object({
      sections: z
        .string()
        .default(sectionNames.join(','))
        .transform((list) => list.split(',').filter((one) => one !== ''))
        .pipe(z.array(z.enum(sectionNames))),
    }),
    success: [200],
    output: Analytics,
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;

import { activityCategories, activityLimits, activityOutcomes } from '@svc/domain';
import { z } from 'zod';
import { Id, Timestamp, wholeNumber } from '../fields.ts';
import type { Operation } from '../operation.ts';

const ranges = ['24h', '7d', '30d', '90d'] as const;
const text = z.string().trim().max(200, 'at most 200 characters').default('');

const Filters = z.object({
  category: z.enum(activityCategories).optional(),
  action: text,
  /** Part of who did it. */
  actor: text,
  /** Whole id of what it was done to. */
  target: text,
  outcome: z.enum(activityOutcomes).optional(),
  /** Part of the summary, the address or the id of the request. */
  q: text,
  range: z.enum(ranges).optional(),
});

export const ActivityEvent = z.object({
  id: Id,
  timestamp: Timestamp,
  action: z.string(),
  category: z.enum(activityCategories),
  outcome: z.enum(activityOutcomes),
  actor: z.object({ label: z.string(), user_id: z.string().nullable(), ip: z.string() }),
  target: z.object({ type: z.string(), id: z.string() }).nullable(),
  summary: z.string(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  request_id: z.string(),
});
export type ActivityEvent = z.output<typeof ActivityEvent>;

/** The end of a day's chain (decision 111), which proves later that the rows of that day were not changed. */
export const ActivityHead = z.object({
  day: z.iso.date(),
  rows: z.number().int(),
  /** End of the day before; empty for the first day. */
  previous: z.string(),
  /** SHA-256 in hexadecimal. */
  head: z.string(),
  /** Whether its rows were removed since. */
  pruned: z.boolean(),
});
export type ActivityHead = z.output<typeof ActivityHead>;

/** What people have done (service 6.4, resolved-platform 17). */
export const activityOperations = {
  listActivity: {
    area: 'admin',
    method: 'GET',
    path: '/admin/activity',
    summary: `What people have done, newest first, ${activityLimits.page} a page`,
    access: 'admin',
    query: Filters.extend({ page: wholeNumber(1, 1_000_000).prefault(1) }),
    success: [200],
    output: z.object({
      events: z.array(ActivityEvent),
      total: z.number().int(),
      page: z.number().int(),
      total_pages: z.number().int(),
      /** Those that were asked for. */
      filters: z.record(z.string(), z.string()),
      capture_enabled: z.boolean(),
      /** 0 for ever. */
      retention_days: z.number().int(),
      /** Rows of the last hour. */
      last_hour: z.number().int(),
    }),
    errors: [],
  },
  exportActivityCsv: {
    area: 'admin',
    method: 'GET',
    path: '/admin/activity/export.csv',
    summary: `The newest ${activityLimits.exported} of them as CSV`,
    access: 'admin',
    query: Filters,
    heavy: true,
    success: [200],
    output: null,
    bytes: 'text/csv',
    errors: [],
  },
  exportActivityJson: {
    area: 'admin',
    method: 'GET',
    path: '/admin/activity/export.json',
    summary: `The newest ${activityLimits.exported} of them as JSON`,
    access: 'admin',
    query: Filters,
    heavy: true,
    success: [200],
    output: z.object({
      generated_at: Timestamp,
      count: z.number().int(),
      /** Whether there are more. */
      truncated: z.boolean(),
      filters: z.record(z.string(), z.string()),
      events: z.array(ActivityEvent),
    }),
    errors: [],
  },
  listActivityHeads: {
    area: 'admin',
    method: 'GET',
    path: '/admin/activity/heads.json',
    summary: 'The end of each day’s chain of hashes, to be kept elsewhere',
    access: 'admin',
    success: [200],
    output: z.object({ generated_at: Timestamp, heads: z.array(ActivityHead) }),
    errors: [],
  },
  pruneActivity: {
    area: 'admin',
    method: 'POST',
    path: '/admin/activity/prune',
    summary: 'Remove at once what is older than so many days; the ends of the chains of those days stay',
    access: 'admin',
    confirmed: true,
    body: z.object({ days: wholeNumber(1, 36_500) }),
    success: [200],
    output: z.object({ removed: z.number().int() }),
    errors: [],
  },
} as const satisfies Record<string, Operation>;

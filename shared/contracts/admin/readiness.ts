import { readinessVerdicts } from '@svc/domain';
import { z } from 'zod';
import { ReadinessCheck, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { ActivityEvent } from './activity.ts';
import { BackgroundTask } from './background-tasks.ts';

export const Readiness = z.object({
  verdict: z.enum(readinessVerdicts),
  checked_at: Timestamp,
  checks: z.array(ReadinessCheck),
});
export type Readiness = z.output<typeof Readiness>;

const Count = z.number().int();
const Enabled = z.object({ total: Count, enabled: Count });

export const Dashboard = z.object({
  overview: z.object({
    jobs: z.object({ total: Count, running: Count, pending: Count, completed: Count }),
    active_background: Count,
    active_ai_runs: Count,
    /** The newest 8. */
    recent_activity: z.array(ActivityEvent),
  }),
  counts: z.object({
    users: Count,
    admins: Count,
    workflows: Count,
    ai_providers: Enabled,
    enrichment: Enabled,
    active_tokens: Count,
    activity_last_hour: Count,
  }),
  readiness: Readiness,
  /** What administrators can have done, each with its last run. */
  maintenance: z.array(z.object({ kind: z.string(), last: BackgroundTask.nullable() })),
});
export type Dashboard = z.output<typeof Dashboard>;

/** The dashboard, and whether the service is ready (resolved-platform 16.1). */
export const readinessOperations = {
  getDashboard: {
    area: 'admin',
    method: 'GET',
    path: '/admin',
    summary: 'What there is, what is going on, and whether the service is ready',
    access: 'admin',
    success: [200],
    output: Dashboard,
    errors: [],
  },
  getReadiness: {
    area: 'admin',
    method: 'GET',
    path: '/admin/readiness',
    summary: 'Whether the service is ready, as of 5 minutes ago at most; 503 when it is not',
    access: 'admin',
    scope: 'readiness:read',
    success: [200, 503],
    output: Readiness,
    errors: [],
  },
  runReadiness: {
    area: 'admin',
    method: 'POST',
    path: '/admin/readiness/run',
    summary: 'Look anew whether the service is ready',
    access: 'admin',
    success: [200],
    output: Readiness,
    errors: [],
  },
} as const satisfies Record<string, Operation>;

import { z } from 'zod';
import { Timestamp, wholeNumber } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { lanes } from '../tasks.ts';

const Count = z.number().int();

/** A process that analyses jobs, as it said of itself last (resolved-platform 16.4). */
export const Worker = z.object({
  /** `host:pid`. */
  process: z.string(),
  /** What the operator calls it; else its process. */
  worker_name: z.string(),
  hostname: z.string(),
  ip_address: z.string().nullable(),
  pid: Count,
  last_seen: Timestamp,
  started_at: Timestamp,
  os: z.string(),
  arch: z.string(),
  runtime_version: z.string(),
  version: z.string(),
  cpu_count: Count,
  memory_gb: z.number(),
  /** Jobs that it analyses at the same time. */
  threads: Count,
  /** Of its host, over all its processes: 0 for any number, -1 for none. */
  max_concurrent_jobs: Count,
  active_jobs: Count,
  current_job_id: Count.nullable(),
  jobs_completed: Count,
  /** What it has under way; without a number where it is no analysis of a job. */
  jobs: z.array(z.object({ job_id: Count.nullable(), since: Timestamp })),
});
export type Worker = z.output<typeof Worker>;

/** `draining` finishes what it has; `paused` has nothing; `silent` has not told of itself for longer than it should. */
export const hostStates = ['working', 'idle', 'draining', 'paused', 'silent'] as const;

export const WorkerHost = z.object({
  hostname: z.string(),
  state: z.enum(hostStates),
  max_concurrent_jobs: Count,
  active_jobs: Count,
  /** Jobs that its processes could have under way, were there no cap. */
  threads: Count,
  cores: Count,
  /** Threads that want a core when all of them analyse the largest logs at once. */
  peak_threads: Count,
  /** It is paused, and works all the same, as no other host does. */
  works_anyway: z.boolean(),
});
export type WorkerHost = z.output<typeof WorkerHost>;

export const Fleet = z.object({
  workers: z.array(Worker),
  hosts: z.array(WorkerHost),
  /** Analyses that wait for a worker. */
  queue_depth: Count,
  lanes: z.array(
    z.object({
      lane: z.enum(lanes),
      waiting: Count,
      delayed: Count,
      under_way: Count,
      oldest_seconds: z.number().nullable(),
    }),
  ),
  /** Analyses that should be under way, and no worker shows a sign of life for. */
  stuck_jobs: z.array(z.object({ job_id: Count, since: Timestamp })),
  /** Analyses under way that none of these workers has: functions of the fast lane have them. */
  other_jobs: Count,
  /** Whether workers are started when there is work for them, and small logs are for functions. */
  on_demand: z.boolean(),
  /** Caps of hosts that have one. */
  policies: z.record(z.string(), Count),
});
export type Fleet = z.output<typeof Fleet>;

export const workerOperations = {
  listWorkers: {
    area: 'admin',
    method: 'GET',
    path: '/admin/workers',
    summary: 'Who analyses jobs, what waits for them, and jobs that nobody works on',
    access: 'admin',
    success: [200],
    output: Fleet,
    errors: [],
  },
  limitWorker: {
    area: 'admin',
    method: 'POST',
    path: '/admin/workers/{hostname}/limit',
    summary: 'Have a host analyse so many jobs at a time: 0 for any number, -1 for none but those that it has',
    access: 'admin',
    params: z.object({ hostname: z.string().min(1).max(255) }),
    body: z.object({ max_concurrent_jobs: wholeNumber(-1, 10_000) }),
    success: [200],
    output: z.object({ hostname: z.string(), max_concurrent_jobs: Count }),
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;

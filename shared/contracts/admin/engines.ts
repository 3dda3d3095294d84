import { externalEngines } from '@svc/domain';
import { z } from 'zod';
import { LogType, Switch, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { BackgroundTask } from './background-tasks.ts';

const Count = z.number().int().min(0);
const line = z.string().trim().min(1).max(1024);

/** Where an engine is: on the machine of the worker, in an image, or still to be built into one. */
export const EngineProgram = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.literal('path'), path: line }),
    z.object({ kind: z.literal('image'), image: line }),
    z.object({
      kind: z.literal('dockerfile'),
      dockerfile: line,
      context: line.nullable().default(null),
      tag: line.nullable().default(null),
      /** Seconds that building may take. */
      timeout: z.int().min(1).max(86_400).default(600),
    }),
  ],
  { error: 'must say its kind: path, image or dockerfile' },
);

/** An engine as administrators see it. */
export const AdminEngine = z.object({
  name: z.string(),
  /** As those call it who make it. */
  title: z.string(),
  built_in: z.boolean(),
  enabled: z.boolean(),
  /** Null for every type. */
  reads: z.array(LogType).nullable(),
  /** What the site says; null for where workers look by themselves. */
  program: EngineProgram.nullable(),
  /** What a worker found when it last looked; null before. */
  seen: z
    .object({
      /** Null when it was not found, or does not say. */
      version: z.string().nullable(),
      /** The program's path, or the image's name; null when it was not found. */
      at: z.string().nullable(),
      digest: z.string().nullable(),
      /** Why it cannot run there; null when it can. */
      missing: z.string().nullable(),
      looked_at: Timestamp,
      /** Host of the worker. */
      looked_on: z.string(),
      log: z.string(),
    })
    .nullable(),
  /** Its last runs, a thousand at most; null before the first. */
  runs: z
    .object({
      count: Count,
      failures: Count,
      /** Milliseconds for a megabyte of log, over those that went well. */
      ms_per_mb: z.number().nullable(),
      last: z
        .object({
          job_id: z.number().int(),
          at: Timestamp,
          status: z.enum(['completed', 'failed']),
          error: z.string().nullable(),
        })
        .nullable(),
    })
    .nullable(),
  /** Workflows with a task that names it. */
  workflows: z.array(z.object({ id: z.number().int(), name: z.string() })),
  /** The last test, pull or build. */
  task: BackgroundTask.nullable(),
});
export type AdminEngine = z.output<typeof AdminEngine>;

const one = {
  area: 'admin',
  access: 'admin',
  params: z.object({ name: z.enum(externalEngines) }),
} as const;

/** Engines that check logs: the built-in one, and those that are programs of others (resolved-platform 2.4). */
export const engineOperations = {
  listEngines: {
    area: 'admin',
    method: 'GET',
    path: '/admin/engines',
    summary: 'Engines: which are enabled, what workers found of them, how their runs went, who uses them',
    access: 'admin',
    success: [200],
    output: z.object({
      engines: z.array(AdminEngine),
      /** Whether workers are started when there is work for them, as on AWS. */
      on_demand: z.boolean(),
    }),
    errors: [],
  },
  changeEngine: {
    ...one,
    method: 'PATCH',
    path: '/admin/engines/{name}',
    summary: 'Enable or disable an engine in every process, or say where it is; a worker then looks for it',
    confirmed: true,
    body: z.object({ enabled: Switch.optional(), program: EngineProgram.nullable().optional() }),
    success: [200],
    output: AdminEngine,
    errors: ['unavailable'],
  },
  runEngineTask: {
    ...one,
    method: 'POST',
    path: '/admin/engines/{name}/tasks',
    summary: 'Have a worker look for an engine, or pull or build its image',
    body: z.object({ what: z.enum(['test', 'image']) }),
    success: [202],
    output: z.object({ task_id: z.number().int(), already: z.boolean() }),
    errors: ['bad_request', 'unavailable'],
  },
} as const satisfies Record<string, Operation>;

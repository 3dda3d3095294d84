import { z } from 'zod';
import { Flag, Id, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';

const Bytes = z.number().int();

/** For how long the service keeps something (service 8.3). */
export const Retention = z.object({
  name: z.string(),
  /** The environment variable that says it; null where it is fixed. */
  variable: z.string().nullable(),
  /** 0 for ever. */
  days: z.number().int(),
  source: z.enum(['env', 'override', 'default']),
  overridable: z.boolean(),
  /** Whether nothing is removed. */
  disabled: z.boolean(),
});
export type Retention = z.output<typeof Retention>;

/** What takes room (resolved-platform 16.5). */
export const Storage = z.object({
  uploads_bytes: Bytes,
  outputs_bytes: Bytes,
  packs_bytes: Bytes,
  /** Objects that no row names, with the first of them. */
  unowned: z.object({
    count: z.number().int(),
    bytes: Bytes,
    sample: z.array(z.object({ key: z.string(), bytes: Bytes, stored_at: Timestamp })),
  }),
  /** Of those, with their files and what analyses left; of all jobs. */
  largest_jobs: z.array(z.object({ job_id: Id, filename: z.string(), bytes: Bytes })),
  /** `files` is null where they are another machine's. */
  db: z.object({ files: z.number().int().nullable(), bytes: Bytes }),
  retention: z.array(Retention),
  /** Of the store; null where it has no bound. */
  disk: z.object({ free: Bytes, total: Bytes }).nullable(),
  embedded_db: z.boolean(),
  /** The look at all objects that these figures are of: until it has ended they say what was counted so far. */
  walk: z.object({
    objects: z.number().int(),
    began_at: Timestamp,
    ended_at: Timestamp.nullable(),
  }),
});
export type Storage = z.output<typeof Storage>;

export const TableSize = z.object({
  name: z.string(),
  /** As far as the database knows without counting; null where it has never looked. */
  rows: z.number().int().nullable(),
  /** With its indexes and what it keeps aside. */
  bytes: Bytes,
  index_bytes: Bytes,
});
export type TableSize = z.output<typeof TableSize>;

const wholeDays = 'must be a whole number of days up to 36500, or nothing';
const digits = /^\s*-?\d{1,16}\s*$/;
/** Nothing clears; a negative number is taken for 0, which keeps for ever. */
const OverrideDays = z.preprocess(
  (sent) => {
    if (typeof sent !== 'string') return sent;
    if (sent.trim() === '') return null;
    return digits.test(sent) ? Number(sent) : sent;
  },
  z
    .int(wholeDays)
    .max(36_500, wholeDays)
    .transform((days) => Math.max(0, days))
    .nullable(),
);

const begun = {
  area: 'admin',
  method: 'POST',
  access: 'admin',
  success: [202],
  /** `already` for one that was under way. */
  output: z.object({ task_id: z.number().int(), already: z.boolean() }),
  errors: [],
} as const;

export const storageOperations = {
  getStorage: {
    area: 'admin',
    method: 'GET',
    path: '/admin/storage',
    summary: 'What takes room, by a look at all objects that is at most a minute old, or begun now with force=1',
    access: 'admin',
    query: z.object({ force: Flag }),
    heavy: true,
    success: [200],
    output: Storage,
    errors: [],
  },
  getDatabaseSizes: {
    area: 'admin',
    method: 'GET',
    path: '/admin/storage/database',
    summary: 'What each table of the database takes',
    access: 'admin',
    success: [200],
    output: z.object({ bytes: Bytes, tables: z.array(TableSize) }),
    errors: [],
  },
  setOutputRetention: {
    area: 'admin',
    method: 'POST',
    path: '/admin/storage/retention',
    summary: 'Days that raw outputs are kept, in place of JOB_OUTPUT_RETENTION_DAYS; nothing to go by that again',
    access: 'admin',
    confirmed: true,
    body: z.object({ job_output_retention_days: OverrideDays }),
    success: [200],
    output: Retention,
    errors: [],
  },
  runRetention: {
    ...begun,
    path: '/admin/storage/run-retention',
    summary: 'The same',
  },
  purgeOrphans: {
    ...begun,
    path: '/admin/storage/purge-orphans',
    summary: 'Remove objects older than an hour that no row names',
    confirmed: true,
  },
  vacuumDatabase: {
    ...begun,
    path: '/admin/storage/vacuum',
    summary: 'Write the tables of the embedded database anew, without what was removed from them',
  },
} as const satisfies Record<string, Operation>;

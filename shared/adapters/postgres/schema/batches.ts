import { char, index, integer, pgTable, primaryKey, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { jobs } from './jobs.ts';

/** Jobs that were submitted together. */
export const batches = pgTable(
  'batches',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    submittedBy: uuid().references(() => accounts.id, { onDelete: 'set null' }),
    /** Of the submitter and the jobs that it was made of: the same again is the same batch. */
    fingerprint: char({ length: 64 }).notNull(),
    createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [uniqueIndex('batches_by_fingerprint').on(table.fingerprint)],
);

export const batchJobs = pgTable(
  'batch_jobs',
  {
    batchId: integer()
      .notNull()
      .references(() => batches.id, { onDelete: 'cascade' }),
    jobId: integer()
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.batchId, table.jobId] }),
    // What leaves with a job.
    index('batch_jobs_of_job').on(table.jobId),
  ],
);

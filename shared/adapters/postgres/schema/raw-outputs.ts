import { bigint, boolean, index, integer, pgTable, timestamp, varchar } from 'drizzle-orm/pg-core';
import { jobs } from './jobs.ts';
import { taskResults } from './task-results.ts';

/** What engines put out, as objects; whoever removes a row notes its key among the dropped ones. */
export const rawOutputs = pgTable(
  'raw_outputs',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    taskResultId: integer()
      .notNull()
      .references(() => taskResults.id, { onDelete: 'cascade' }),
    jobId: integer()
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    name: varchar({ length: 100 }).notNull(),
    storageKey: varchar({ length: 100 }).notNull(),
    sizeBytes: bigint({ mode: 'number' }).notNull(),
    isComplete: boolean().notNull(),
    createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    // Of a job, for its downloads and its removal.
    index('raw_outputs_of_job').on(table.jobId),
    // Clearing a task's with it.
    index('raw_outputs_of_task').on(table.taskResultId),
    // The sweep.
    index('raw_outputs_by_age').on(table.createdAt),
    // Whether an object of the store is one of these.
    index('raw_outputs_by_key').using('hash', table.storageKey),
  ],
);

import { bigint, index, integer, pgTable, varchar } from 'drizzle-orm/pg-core';
import { jobs } from './jobs.ts';
import { taskResults } from './task-results.ts';

/** The objects that hold the sample events of tasks; whoever removes a row notes its key among the dropped ones. */
export const eventPacks = pgTable(
  'event_packs',
  {
    taskResultId: integer()
      .primaryKey()
      .references(() => taskResults.id, { onDelete: 'cascade' }),
    jobId: integer()
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    storageKey: varchar({ length: 100 }).notNull(),
    sizeBytes: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [
    // Of a job, for its removal.
    index('event_packs_of_job').on(table.jobId),
    // Whether an object of the store is one of these.
    index('event_packs_by_key').using('hash', table.storageKey),
  ],
);

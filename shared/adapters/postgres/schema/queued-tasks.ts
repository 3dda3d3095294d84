import { index, integer, pgTable, smallint, timestamp, varchar } from 'drizzle-orm/pg-core';

/** Analyses waiting or under way; a lease is alive until `dueAt`. No reference to jobs: a queue of its own. */
export const queuedTasks = pgTable(
  'queued_tasks',
  {
    jobId: integer().primaryKey(),
    enqueuedAt: timestamp({ withTimezone: true }).notNull(),
    /** Not before this time; moves on with every lease, so that a lapsed one is due again. */
    dueAt: timestamp({ withTimezone: true }).notNull(),
    attempts: smallint().notNull().default(0),
    /** Token of the lease; null while nobody holds the task. */
    lease: varchar({ length: 64 }),
    worker: varchar({ length: 100 }),
  },
  (table) => [
    // Next task due.
    index('queued_tasks_due').on(table.dueAt, table.enqueuedAt),
  ],
);

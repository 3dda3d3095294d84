import { lanes } from '@svc/application/ports/task-queue.ts';
import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, smallint, text, timestamp, varchar } from 'drizzle-orm/pg-core';

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
    lane: text({ enum: lanes }).notNull().default('fast'),
    /** Who takes turns with others. */
    submitter: varchar({ length: 16 }).notNull().default(''),
    /** Place in the order that tasks are handed out in; several may have the same. */
    turn: bigint({ mode: 'number' }).notNull().default(0),
  },
  (table) => [
    // Next task of all, or of a lane.
    index('queued_tasks_next').on(table.turn, table.lane, table.enqueuedAt),
    index('queued_tasks_next_of_lane').on(table.lane, table.turn, table.enqueuedAt),
    // The turn of what is worked on.
    index('queued_tasks_held')
      .on(table.turn)
      .where(sql`${table.lease} is not null`),
    // The last turn that a submitter has.
    index('queued_tasks_of_submitter').on(table.submitter, table.lane, table.turn),
  ],
);

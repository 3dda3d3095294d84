import { lanes } from '@svc/contracts/tasks.ts';
import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, smallint, text, timestamp, varchar } from 'drizzle-orm/pg-core';

/** Tasks waiting or under way; a lease is alive until `dueAt`. No reference to jobs: a queue of its own. */
export const queuedTasks = pgTable(
  'queued_tasks',
  {
    /** Of which one task is in flight. By default that of no other task, as versions before wrote none. */
    key: varchar({ length: 200 })
      .primaryKey()
      .default(sql`gen_random_uuid()::text`),
    /** What is to be done; null for the analysis of a job. */
    task: jsonb(),
    /** Of an analysis; processes of the version before know tasks by it. */
    jobId: integer(),
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
    /** Place in the order that tasks are handed out in; several may have the same. None before its time has come. */
    turn: bigint({ mode: 'number' }).default(0),
  },
  (table) => [
    // Next analysis of all.
    index('queued_tasks_next_analysis')
      .on(table.turn, table.lane, table.enqueuedAt)
      .where(sql`${table.lane} not in ('prompt', 'sweep', 'outbound', 'ai')`),
    // Next task of a lane.
    index('queued_tasks_next_of_lane').on(table.lane, table.turn, table.enqueuedAt),
    // The turn of what is worked on.
    index('queued_tasks_held_of_lane')
      .on(table.lane, table.turn)
      .where(sql`${table.lease} is not null`),
    // Whose time comes next.
    index('queued_tasks_delayed')
      .on(table.dueAt)
      .where(sql`${table.turn} is null`),
    // The last turn that a submitter has.
    index('queued_tasks_of_submitter').on(table.submitter, table.lane, table.turn),
  ],
);

import { watchEventKinds, watchLimits } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, timestamp, uniqueIndex, uuid, varchar } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { jobs } from './jobs.ts';

const moment = () => timestamp({ withTimezone: true, precision: 3 });

export const jobWatches = pgTable(
  'job_watches',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    userId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    jobId: integer()
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    createdAt: moment().notNull(),
  },
  (table) => [
    // What a person watches.
    uniqueIndex('job_watches_of_person').on(table.userId, table.jobId),
    // Who watches a job, the earliest first.
    index('job_watches_of_job').on(table.jobId, table.id),
  ],
);

/** What the watcher of a job is told; goes with the watch. */
export const watchEvents = pgTable(
  'watch_events',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    watchId: integer()
      .notNull()
      .references(() => jobWatches.id, { onDelete: 'cascade' }),
    kind: text({ enum: watchEventKinds }).notNull(),
    /** Of a comment: the comment. Of tags: the first of the links that they were given by. */
    refId: integer().notNull(),
    summary: varchar({ length: watchLimits.summary }).notNull(),
    createdAt: moment().notNull(),
    acknowledgedAt: moment(),
  },
  (table) => [
    // One event is told once.
    uniqueIndex('watch_events_once').on(table.watchId, table.kind, table.refId),
    // What waits to be acknowledged.
    index('watch_events_unread')
      .on(table.watchId, table.id)
      .where(sql`${table.acknowledgedAt} is null`),
    // Events of a comment that is edited or deleted.
    index('watch_events_of_ref').on(table.kind, table.refId),
  ],
);

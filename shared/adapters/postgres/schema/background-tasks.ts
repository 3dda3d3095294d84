import { backgroundKinds, backgroundStatuses } from '@svc/application/work/background-task-repository.ts';
import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, timestamp, uniqueIndex, varchar } from 'drizzle-orm/pg-core';

const moment = () => timestamp({ withTimezone: true, precision: 3 });

/** Tasks that administrators ask for; no reference to their targets, which may go before them. */
export const backgroundTasks = pgTable(
  'background_tasks',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    kind: text({ enum: backgroundKinds }).notNull(),
    /** Null where it is about all there is. */
    targetId: integer(),
    requestedBy: varchar({ length: 320 }).notNull(),
    status: text({ enum: backgroundStatuses }).notNull(),
    /** How far it is, and in the end what came of it. */
    detail: text(),
    /** The last thing that is done, from which it goes on. */
    cursor: integer(),
    errorMessage: text(),
    /** How often it was begun since it last got any further. */
    attempts: integer().notNull().default(0),
    createdAt: moment().notNull(),
    startedAt: moment(),
    heartbeatAt: moment(),
    finishedAt: moment(),
  },
  (table) => [
    // One of a kind and target in flight, and which that is.
    uniqueIndex('background_tasks_in_flight')
      .on(table.kind, sql`coalesce(${table.targetId}, 0)`)
      .where(sql`${table.status} in ('pending', 'running')`),
    // The last of a target.
    index('background_tasks_of_target').on(table.kind, table.targetId, table.id),
  ],
);

import { activityCategories, activityLimits, activityOutcomes } from '@svc/domain';
import { sql } from 'drizzle-orm';
import {
  boolean,
  date,
  index,
  integer,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';

/** What people have done (service 2.18); targets are plain texts, which outlive what they name. */
export const activity = pgTable(
  'activity',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** The day of its chain, and its place there. */
    day: date().notNull(),
    place: integer().notNull(),
    at: timestamp({ withTimezone: true, precision: 3 }).notNull(),
    actorId: uuid().references(() => accounts.id, { onDelete: 'set null' }),
    actorLabel: varchar({ length: activityLimits.label }).notNull(),
    actorIp: text().notNull(),
    action: varchar({ length: activityLimits.action }).notNull(),
    category: text({ enum: activityCategories }).notNull(),
    targetType: varchar({ length: activityLimits.targetType }),
    targetId: varchar({ length: activityLimits.targetId }),
    outcome: text({ enum: activityOutcomes }).notNull(),
    summary: varchar({ length: activityLimits.summary }).notNull(),
    /** JSON as it was hashed. */
    metadata: varchar({ length: activityLimits.metadata }),
    requestId: varchar({ length: activityLimits.requestId }).notNull(),
    /** Of it and of all before it. */
    hash: text().notNull(),
  },
  (table) => [
    // The chain of a day.
    uniqueIndex('activity_by_place').on(table.day, table.place),
    // The list, of all and of a category or action.
    index('activity_at').on(table.at, table.id),
    index('activity_of_category').on(table.category, table.at, table.id),
    index('activity_of_action').on(table.action, table.at, table.id),
    // What was done to something, and by whom.
    index('activity_of_target').on(table.targetId, table.at),
    index('activity_of_actor')
      .on(table.actorId)
      .where(sql`${table.actorId} is not null`),
  ],
);

/** The end of each day's chain, which stays when the rows of the day go. */
export const activityDays = pgTable('activity_days', {
  day: date().primaryKey(),
  rows: integer().notNull(),
  previous: text().notNull(),
  head: text().notNull(),
  isPruned: boolean().notNull().default(false),
});

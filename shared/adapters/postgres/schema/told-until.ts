import { pgTable, smallint, timestamp } from 'drizzle-orm/pg-core';

/** The latest of all `entities.told_at` there ever were, in one row: whoever gives out later ones holds it meanwhile. */
export const toldUntil = pgTable('told_until', {
  id: smallint().primaryKey(),
  at: timestamp({ withTimezone: true, precision: 6, mode: 'string' }).notNull(),
});

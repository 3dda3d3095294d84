import { pgTable, timestamp, varchar } from 'drizzle-orm/pg-core';

/** Keys of objects that nothing refers to any more, until they are gone from the store, too. */
export const droppedObjects = pgTable('dropped_objects', {
  key: varchar({ length: 100 }).primaryKey(),
  droppedAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
});

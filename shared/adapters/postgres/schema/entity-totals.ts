import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { entityTypes } from '@svc/domain';

/**
 * How many entities there are of a type: the sum of its rows. Each transaction adds what it changes and puts those rows
 * together that nobody else has in hand, so that none waits for another.
 */
export const entityTotals = pgTable('entity_totals', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  type: text({ enum: entityTypes }).notNull(),
  many: integer().notNull(),
});

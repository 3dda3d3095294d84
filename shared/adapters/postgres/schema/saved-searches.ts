import { savedSearchLimits, searchScopes } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { integer, jsonb, pgTable, text, timestamp, uniqueIndex, uuid, varchar } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';

export const savedSearches = pgTable(
  'saved_searches',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    ownerId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    scope: text({ enum: searchScopes }).notNull(),
    name: varchar({ length: savedSearchLimits.name }).notNull(),
    query: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
    updatedAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    // What a person keeps, and one of a name.
    uniqueIndex('saved_searches_of_person').on(table.ownerId, table.scope, sql`lower(${table.name})`),
  ],
);

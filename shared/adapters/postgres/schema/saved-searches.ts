import { savedSearchLimits, searchScopes } from '@svc/domain';
import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
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
    /** Whether all members find it. */
    isShared: boolean().notNull().default(false),
    updatedAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    // What a person keeps, and one of a name.
    uniqueIndex('saved_searches_of_person').on(table.ownerId, table.scope, sql`lower(${table.name})`),
    // What everybody finds.
    index('saved_searches_shared')
      .on(table.scope)
      .where(sql`${table.isShared}`),
    // Lists, newest updated first.
    index('saved_searches_by_update').on(table.updatedAt, table.id),
  ],
);

/** When somebody last looked at what a search finds. */
export const savedSearchLooks = pgTable(
  'saved_search_looks',
  {
    searchId: integer()
      .notNull()
      .references(() => savedSearches.id, { onDelete: 'cascade' }),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    lookedAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.searchId, table.accountId] }),
    // For the deletion of an account.
    index('saved_search_looks_of_account').on(table.accountId),
  ],
);

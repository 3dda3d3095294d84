import type { LogType } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { boolean, integer, jsonb, pgTable, text, timestamp, uniqueIndex, varchar } from 'drizzle-orm/pg-core';

export const workflows = pgTable(
  'workflows',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    name: varchar({ length: 200 }).notNull(),
    description: text().notNull(),
    /** Empty for every type. */
    logTypes: jsonb().$type<LogType[]>().notNull(),
    /** YAML or JSON with the one top-level key `tasks`. */
    definition: text().notNull(),
    isDefault: boolean().notNull().default(false),
    /** One that is not takes no new jobs. */
    enabled: boolean().notNull().default(true),
    /** Name in the shipped file that the row was taken from, which outlives that it is renamed here. */
    shippedAs: varchar({ length: 200 }),
    /** Digest of what that file said; a row that says something else was edited. */
    seedHash: varchar({ length: 64 }),
    /** Jobs name it for ever, so that it is only hidden. */
    deletedAt: timestamp({ withTimezone: true, precision: 3 }),
    createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
    updatedAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
  },
  (table) => [
    // Names of those that are there; and one row for each shipped file.
    uniqueIndex('workflows_by_name')
      .on(table.name)
      .where(sql`${table.deletedAt} is null`),
    uniqueIndex('workflows_as_shipped').on(table.shippedAs),
    // At most one default.
    uniqueIndex('workflows_one_default')
      .on(table.isDefault)
      .where(sql`${table.isDefault}`),
  ],
);

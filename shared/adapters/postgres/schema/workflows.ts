import type { LogType } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { boolean, integer, jsonb, pgTable, text, timestamp, uniqueIndex, varchar } from 'drizzle-orm/pg-core';

export const workflows = pgTable(
  'workflows',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    name: varchar({ length: 200 }).notNull().unique('workflows_name'),
    description: text().notNull(),
    /** Empty for every type. */
    logTypes: jsonb().$type<LogType[]>().notNull(),
    /** YAML or JSON with the one top-level key `tasks`. */
    definition: text().notNull(),
    isDefault: boolean().notNull().default(false),
    /** Digest of the shipped file that the row was last taken from. */
    seedHash: varchar({ length: 64 }),
    createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
    updatedAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
  },
  (table) => [
    // At most one default.
    uniqueIndex('workflows_one_default')
      .on(table.isDefault)
      .where(sql`${table.isDefault}`),
  ],
);

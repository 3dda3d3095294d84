import { roles } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { boolean, pgTable, text, timestamp, uniqueIndex, uuid, varchar } from 'drizzle-orm/pg-core';

export const accounts = pgTable(
  'accounts',
  {
    id: uuid().primaryKey().defaultRandom(),
    email: varchar({ length: 320 }).notNull(),
    displayName: varchar({ length: 100 }),
    passwordHash: text().notNull(),
    role: text({ enum: roles }).notNull(),
    isActive: boolean().notNull().default(true),
    sendAtOnce: boolean().notNull().default(false),
    createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
    passwordChangedAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
  },
  (table) => [
    // Sign-in, and one account an address whatever its case.
    uniqueIndex('accounts_by_email').on(sql`lower(${table.email})`),
  ],
);

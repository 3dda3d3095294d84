import type { Scope } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { char, integer, pgTable, text, timestamp, uniqueIndex, uuid, varchar } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';

const moment = () => timestamp({ withTimezone: true, precision: 3 });

export const apiTokens = pgTable(
  'api_tokens',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    name: varchar({ length: 120 }).notNull(),
    prefix: varchar({ length: 8 }).notNull(),
    digest: char({ length: 64 }).notNull(),
    scopes: text()
      .array()
      .$type<Scope[]>()
      .notNull()
      .default(sql`'{}'`),
    // Without its creator a token works no more, but is still listed.
    createdBy: uuid().references(() => accounts.id, { onDelete: 'set null' }),
    createdAt: moment().notNull().defaultNow(),
    expiresAt: moment(),
    revokedAt: moment(),
    lastUsedAt: moment(),
  },
  (table) => [uniqueIndex('api_tokens_by_digest').on(table.digest)],
);

import { char, index, pgTable, timestamp, uuid, varchar } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';

const moment = () => timestamp({ withTimezone: true, precision: 3 });

/** Browsers that are signed in. */
export const sessions = pgTable(
  'sessions',
  {
    /** Digest of the secret that the session's token carries. */
    id: char({ length: 32 }).primaryKey(),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    createdAt: moment().notNull(),
    /** To some minutes. */
    lastUsedAt: moment().notNull(),
    /** When the password was given last. */
    confirmedAt: moment().notNull(),
    client: varchar({ length: 60 }).notNull(),
    network: varchar({ length: 45 }).notNull(),
  },
  (table) => [
    // An account's sessions, the last used first.
    index('sessions_of_account').on(table.accountId, table.lastUsedAt),
    // Those whose time is over.
    index('sessions_by_creation').on(table.createdAt),
  ],
);

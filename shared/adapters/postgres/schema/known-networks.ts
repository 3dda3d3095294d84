import { char, index, pgTable, primaryKey, timestamp, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';

/** Where accounts were signed in from: to recognise, not to read. */
export const knownNetworks = pgTable(
  'known_networks',
  {
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Keyed. */
    digest: char({ length: 43 }).notNull(),
    signedInAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.digest] }),
    // Those whose time is over.
    index('known_networks_by_time').on(table.signedInAt),
  ],
);

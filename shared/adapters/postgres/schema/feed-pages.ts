import { char, index, pgTable, timestamp } from 'drizzle-orm/pg-core';

/** What pages of feeds said when they were last read, to tell programs since when they say it. */
export const feedPages = pgTable(
  'feed_pages',
  {
    /** Digest of who asks, and for what. */
    key: char({ length: 43 }).primaryKey(),
    /** Digest of what the page says. */
    tag: char({ length: 43 }).notNull(),
    /** In whole seconds. */
    since: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    // Those that nobody has seen change for long.
    index('feed_pages_by_time').on(table.since),
  ],
);

import { jsonb, pgTable, varchar } from 'drizzle-orm/pg-core';

/** What administrators have changed, by name; what has no row is as it ships. */
export const siteSettings = pgTable('site_settings', {
  name: varchar({ length: 80 }).primaryKey(),
  value: jsonb().notNull(),
});

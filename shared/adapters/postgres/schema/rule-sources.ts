import { integer, pgTable, text, varchar } from 'drizzle-orm/pg-core';

/** Rules as they were written, each text once: a rule matches in many files. They stay, as there are not many. */
export const ruleSources = pgTable('rule_sources', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  /** SHA-256 of the text, in hexadecimal digits. */
  digest: varchar({ length: 64 }).notNull().unique(),
  source: text().notNull(),
});

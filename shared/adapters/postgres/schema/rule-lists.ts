import { listMatches, ruleListLimits } from '@svc/domain';
import { boolean, integer, pgTable, smallint, text, timestamp, varchar } from 'drizzle-orm/pg-core';

const moment = () => timestamp({ withTimezone: true, precision: 3 });

/** Named sets of values that rules and searches ask for (resolved-intel 12). */
export const ruleLists = pgTable('rule_lists', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  name: varchar({ length: ruleListLimits.name }).notNull().unique(),
  match: text({ enum: listMatches }).notNull(),
  description: varchar({ length: ruleListLimits.description }).notNull(),
  values: text().array().notNull(),
  sourceUrl: varchar({ length: ruleListLimits.url }),
  refreshHours: smallint().notNull(),
  lastFetchedAt: moment(),
  lastFetchOk: boolean(),
  lastFetchError: varchar({ length: ruleListLimits.error }),
  /** Of the answer that its values are from, for conditional requests. */
  sourceEtag: text(),
  seedHash: text(),
  createdAt: moment().notNull(),
  updatedAt: moment().notNull(),
});

import { periodicKinds } from '@svc/contracts/tasks.ts';
import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** The last run of each periodic task. */
export const periodicRuns = pgTable('periodic_runs', {
  kind: text({ enum: periodicKinds }).primaryKey(),
  at: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  durationMs: integer().notNull(),
  outcome: text({ enum: ['completed', 'failed'] }).notNull(),
  detail: text().notNull(),
});

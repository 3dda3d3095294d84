import { boolean, char, integer, pgTable, text, timestamp, uniqueIndex, uuid, varchar } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { cases } from './cases.ts';
import { jobs } from './jobs.ts';

/**
 * What an idempotency key has led to: a job, and the case it was put in, or a case. Without its job or case
 * it is a tombstone, so that a replay does not make it again.
 */
export const submissionReceipts = pgTable(
  'submission_receipts',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    userId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['job', 'case'] }).notNull(),
    key: varchar({ length: 128 }).notNull(),
    fingerprint: char({ length: 64 }).notNull(),
    jobId: integer().references(() => jobs.id, { onDelete: 'set null' }),
    caseId: integer().references(() => cases.id, { onDelete: 'set null' }),
    reused: boolean().notNull(),
    createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
  },
  (table) => [uniqueIndex('submission_receipts_by_key').on(table.userId, table.kind, table.key)],
);

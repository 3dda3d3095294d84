import { subjectKinds, type HappeningKind } from '@svc/contracts/happenings.ts';
import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';

/** What has happened, for whom it may concern; no reference to its subject, which may go before it. */
export const happenings = pgTable('happenings', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  kind: text().$type<HappeningKind>().notNull(),
  subjectKind: text({ enum: subjectKinds }).notNull(),
  subjectId: integer().notNull(),
  /** Account id; no reference, since an account may go before. */
  by: uuid(),
  at: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  /** What else its kind says. */
  facts: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
});

/** What a consumer has not got yet. */
export const happeningDeliveries = pgTable(
  'happening_deliveries',
  {
    consumer: text().notNull(),
    happeningId: bigint({ mode: 'number' })
      .notNull()
      .references(() => happenings.id),
    subjectKind: text({ enum: subjectKinds }).notNull(),
    subjectId: integer().notNull(),
    attempts: smallint().notNull().default(0),
    dueAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    // What waits for a consumer, oldest first.
    primaryKey({ columns: [table.consumer, table.happeningId] }),
    // Whether something earlier of the same subject waits.
    index('happening_deliveries_of_subject').on(table.consumer, table.subjectKind, table.subjectId, table.happeningId),
    // Whether anybody still waits for a happening.
    index('happening_deliveries_of_happening').on(table.happeningId),
  ],
);

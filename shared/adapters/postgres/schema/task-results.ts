import { taskStatuses, type RuleSet } from '@svc/domain';
import { bigint, index, integer, jsonb, pgTable, smallint, text, timestamp, varchar } from 'drizzle-orm/pg-core';
import { jobs } from './jobs.ts';

export const taskResults = pgTable(
  'task_results',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    jobId: integer()
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    /** Place in the workflow. */
    position: smallint().notNull(),
    engine: varchar({ length: 100 }).notNull(),
    status: text({ enum: taskStatuses }).notNull(),
    /** Distinct rules. */
    findingsCount: integer().notNull().default(0),
    durationMs: integer(),
    errorMessage: text(),
    logOutput: text(),
    bytesDone: bigint({ mode: 'number' }),
    bytesTotal: bigint({ mode: 'number' }),
    events: bigint({ mode: 'number' }),
    warnings: jsonb().$type<readonly string[]>().notNull().default([]),
    /** Those of before there were packs name none. */
    ruleSet: jsonb().$type<Omit<RuleSet, 'packs'> & Partial<Pick<RuleSet, 'packs'>>>(),
    startedAt: timestamp({ withTimezone: true, precision: 3 }),
    finishedAt: timestamp({ withTimezone: true, precision: 3 }),
  },
  (table) => [
    // Names of engines, and jobs on which one ran.
    index('task_results_of_engine').on(table.engine, table.jobId),
    // Tasks of a job, in order.
    index('task_results_of_job').on(table.jobId, table.position),
  ],
);

import type { RuleCosts } from '@svc/application/report/rule-costs.ts';
import { taskStatuses, type RuleSet } from '@svc/domain';
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
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
    /** What a sample of its records says that rules took; null where nothing was measured. */
    ruleCosts: jsonb().$type<RuleCosts>(),
    /** The words by which searches find its job for what it found (`heldWords`); null where they were not made yet. */
    held: text().array(),
    startedAt: timestamp({ withTimezone: true, precision: 3 }),
    finishedAt: timestamp({ withTimezone: true, precision: 3 }),
  },
  (table) => [
    // Jobs by what was found in them. Without a list of what waits for the index, which each search would read.
    index('task_results_by_held').using('gin', table.held).with({ fastupdate: false }),
    // Those whose words are still to be made.
    index('task_results_without_held')
      .on(table.id)
      .where(sql`${table.held} is null and ${table.status} = 'completed'`),
    // Jobs that were not read whole, or had nothing to read.
    index('task_results_with_gaps').on(table.jobId).where(hasGap(table)),
    // Names of engines, and jobs on which one ran.
    index('task_results_of_engine').on(table.engine, table.jobId),
    // Tasks of a job, in order.
    index('task_results_of_job').on(table.jobId, table.position),
  ],
);

/** That a task read a damaged log, or no event: in these words an index knows it. */
export function hasGap(table: { readonly warnings: SQLWrapper; readonly events: SQLWrapper }): SQL {
  return sql`(jsonb_array_length(${table.warnings}) > 0 or ${table.events} = 0)`;
}

import { jobErrorCodes, jobStatuses, logTypes, rerunReasons, type SeveritySummary } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text, timestamp, uuid, varchar } from 'drizzle-orm/pg-core';
import { unmarked } from '../search/facets.ts';
import { severityOrder } from '../search/severity-order.ts';
import { accounts } from './accounts.ts';
import { uploadedFiles } from './uploaded-files.ts';
import { workflows } from './workflows.ts';

export const jobs = pgTable(
  'jobs',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    fileId: integer()
      .notNull()
      .references(() => uploadedFiles.id),
    workflowId: integer()
      .notNull()
      .references(() => workflows.id),
    submittedBy: uuid().references(() => accounts.id, { onDelete: 'set null' }),
    submitterIp: varchar({ length: 45 }).notNull(),
    submittedName: varchar({ length: 512 }),
    /** The name that lists show, in lower case: what words of a search are looked for in. */
    searchName: text().notNull().default(''),
    /** Effective type. */
    logType: text({ enum: logTypes }).notNull(),
    isPrivate: boolean().notNull(),
    status: text({ enum: jobStatuses }).notNull(),
    /** Lease token of the worker that may write; fences off one whose job was taken over. */
    claim: varchar({ length: 64 }),
    cancelRequestedAt: timestamp({ withTimezone: true, precision: 3 }),
    errorCode: text({ enum: jobErrorCodes }),
    errorMessage: text(),
    /** Why the analysis was begun more than once. */
    rerunReason: text({ enum: rerunReasons }),
    scoreRatio: varchar({ length: 20 }).notNull().default('0/0'),
    totalFindings: bigint({ mode: 'number' }).notNull().default(0),
    distinctRules: integer().notNull().default(0),
    /** Those of them that something was decided about. */
    reviewedRules: integer().notNull().default(0),
    severitySummary: jsonb()
      .$type<SeveritySummary>()
      .notNull()
      .default({ critical: 0, high: 0, medium: 0, low: 0, informational: 0 }),
    /** Times of the first and last matched event, with the source's precision. */
    firstEventAt: varchar({ length: 40 }),
    lastEventAt: varchar({ length: 40 }),
    createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
    startedAt: timestamp({ withTimezone: true, precision: 3 }),
    finishedAt: timestamp({ withTimezone: true, precision: 3 }),
    /** Facets of what other tables say of the job: its tags and the engines that ran on it. */
    marks: integer().array().notNull().default(unmarked),
    /** All that searches ask of the job but its name, times and amounts, as numbers. */
    facets: integer()
      .array()
      .notNull()
      .generatedAlwaysAs(
        sql`job_facets(status, log_type, workflow_id, submitted_by, is_private, error_message, total_findings, severity_summary, marks)`,
      ),
  },
  (table) => [
    // Words of a search, anywhere in the name. Without a list of what waits for the index, which each search would read.
    index('jobs_by_name').using('gin', table.searchName.op('gin_trgm_ops')).with({ fastupdate: false }),
    // All other terms of a search but times and amounts.
    index('jobs_by_facet').using('gin', table.facets).with({ fastupdate: false }),
    // Amounts of matched events; the most first.
    index('jobs_by_matches').on(table.totalFindings, table.id),
    // The worst first.
    index('jobs_by_severity').on(severityOrder(table.severitySummary), table.id),
    // The newest jobs.
    index('jobs_newest').on(table.createdAt, table.id),
    // Reuse of the newest job on the same bytes.
    index('jobs_newest_on_file').on(table.fileId, table.workflowId, table.id),
    // An account's last job on a file.
    index('jobs_of_account').on(table.submittedBy, table.fileId, table.id),
    // When a worker last began or ended one.
    index('jobs_last_worked')
      .on(sql`greatest(${table.startedAt}, ${table.finishedAt})`)
      .where(sql`${table.startedAt} is not null`),
    // Sweep over live jobs, and the list's "anything running?".
    index('jobs_live')
      .on(table.createdAt)
      .where(sql`${table.status} in ('pending', 'running')`),
  ],
);

import { caseNameLength, caseStatuses } from '@svc/domain';
import { boolean, index, integer, pgTable, primaryKey, text, timestamp, uuid, varchar } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { jobs } from './jobs.ts';

const moment = () => timestamp({ withTimezone: true, precision: 3 });

export const cases = pgTable(
  'cases',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    name: varchar({ length: caseNameLength }).notNull(),
    status: text({ enum: caseStatuses }).notNull().default('open'),
    // Without its owner a case that is not shared is for administrators.
    ownerId: uuid().references(() => accounts.id, { onDelete: 'set null' }),
    isShared: boolean().notNull(),
    createdAt: moment().notNull(),
    /** Moves when links change too. */
    updatedAt: moment().notNull(),
  },
  (table) => [
    // List of cases, newest updated first.
    index('cases_updated').on(table.updatedAt, table.id),
  ],
);

/** Jobs that are in a case. */
export const caseJobs = pgTable(
  'case_jobs',
  {
    caseId: integer()
      .notNull()
      .references(() => cases.id, { onDelete: 'cascade' }),
    jobId: integer()
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    addedBy: uuid().references(() => accounts.id, { onDelete: 'set null' }),
    addedAt: moment().notNull(),
    note: varchar({ length: 500 }),
  },
  (table) => [
    primaryKey({ columns: [table.caseId, table.jobId] }),
    // Cases that a job is in.
    index('case_jobs_of_job').on(table.jobId),
  ],
);

import type { JobAnalytics, KeptCensus } from '@svc/application/report/derivation-repository.ts';
import { customType, index, integer, jsonb, pgTable, smallint } from 'drizzle-orm/pg-core';
import { jobs } from './jobs.ts';
import { taskResults } from './task-results.ts';

const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

/** What a task derived from its matched events; gone with the attempt that made it. */
export const taskDerivations = pgTable(
  'task_derivations',
  {
    taskResultId: integer()
      .primaryKey()
      .references(() => taskResults.id, { onDelete: 'cascade' }),
    jobId: integer()
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    analytics: jsonb().$type<JobAnalytics>().notNull(),
    /** Gzipped JSON: read whole, and never searched. */
    alerts: bytea().notNull(),
    processes: bytea().notNull(),
    /** What is in the log, matched or not; null for what was analysed before it was counted. */
    census: jsonb().$type<KeptCensus>(),
    /** Entities, what findings name of them and how they are related; null where an earlier version made the rest. */
    intel: bytea(),
    /** The version of the code that has put them among those of all jobs; 0 where that is still to be done. */
    intelVersion: smallint().notNull().default(0),
  },
  (table) => [
    // What a job's report shows.
    index('task_derivations_of_job').on(table.jobId),
    // Jobs whose entities are still to be stored, the newest first.
    index('task_derivations_by_intel_version').on(table.intelVersion, table.jobId),
  ],
);

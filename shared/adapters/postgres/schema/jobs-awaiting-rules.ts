import { integer, pgTable } from 'drizzle-orm/pg-core';
import { jobs } from './jobs.ts';

/** Jobs with a report on which rules have not run yet: until what they name is stored. */
export const jobsAwaitingRules = pgTable('jobs_awaiting_rules', {
  jobId: integer()
    .primaryKey()
    .references(() => jobs.id, { onDelete: 'cascade' }),
});

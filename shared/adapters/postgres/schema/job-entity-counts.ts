import { integer, pgTable } from 'drizzle-orm/pg-core';
import { jobs } from './jobs.ts';

/**
 * How many entities a job names, as graphs ask of thousands of jobs at once. A job whose links are not counted has no row:
 * these may go at any time without that job being locked, so they are counted when somebody asks.
 */
export const jobEntityCounts = pgTable('job_entity_counts', {
  jobId: integer()
    .primaryKey()
    .references(() => jobs.id, { onDelete: 'cascade' }),
  entities: integer().notNull(),
});

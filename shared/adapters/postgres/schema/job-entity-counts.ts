import { integer, pgTable } from 'drizzle-orm/pg-core';
import { jobs } from './jobs.ts';

/**
 * How many entities a job names: graphs ask it of thousands of jobs at once. None of a job whose links are not counted,
 * which go with entities at any time, under nobody's lock of that job; those are counted when it is asked.
 */
export const jobEntityCounts = pgTable('job_entity_counts', {
  jobId: integer()
    .primaryKey()
    .references(() => jobs.id, { onDelete: 'cascade' }),
  entities: integer().notNull(),
});

import { boolean, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { entities } from './entities.ts';
import { jobs } from './jobs.ts';

/** Which jobs name an entity. */
export const entityJobLinks = pgTable(
  'entity_job_links',
  {
    entityId: integer()
      .notNull()
      .references(() => entities.id, { onDelete: 'cascade' }),
    jobId: integer()
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    /** Scanned events of the job that name it. */
    occurrenceCount: integer().notNull(),
    /** Whether `entities.job_count` has it: not where private jobs tell others nothing. */
    isCounted: boolean().notNull().default(true),
  },
  (table) => [
    // Jobs of an entity, newest first.
    primaryKey({ columns: [table.entityId, table.jobId] }),
    // All that a job names: what is named together.
    index('entity_job_links_of_job').on(table.jobId, table.entityId),
  ],
);

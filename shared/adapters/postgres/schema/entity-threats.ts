import { index, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { entities } from './entities.ts';
import { jobs } from './jobs.ts';

/** Kinds of threats of which an indicator of a job names an entity. */
export const entityThreats = pgTable(
  'entity_threats',
  {
    entityId: integer()
      .notNull()
      .references(() => entities.id, { onDelete: 'cascade' }),
    jobId: integer()
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    category: text().notNull(),
    /** Of the worst indicator that does, 0 the worst. */
    severityRank: smallint().notNull(),
  },
  (table) => [
    // What is said of an entity.
    primaryKey({ columns: [table.entityId, table.jobId, table.category] }),
    // What a job says.
    index('entity_threats_of_job').on(table.jobId),
  ],
);

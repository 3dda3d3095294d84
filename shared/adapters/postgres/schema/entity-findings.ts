import { index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { entities } from './entities.ts';
import { findings } from './findings.ts';

/** Findings whose matched events name an entity. */
export const entityFindings = pgTable(
  'entity_findings',
  {
    findingId: integer()
      .notNull()
      .references(() => findings.id, { onDelete: 'cascade' }),
    entityId: integer()
      .notNull()
      .references(() => entities.id, { onDelete: 'cascade' }),
    /** The finding's. */
    jobId: integer().notNull(),
  },
  (table) => [
    // Entities of a finding.
    primaryKey({ columns: [table.findingId, table.entityId] }),
    // Findings of an entity, newest job first.
    index('entity_findings_of_entity').on(table.entityId, table.jobId, table.findingId),
  ],
);

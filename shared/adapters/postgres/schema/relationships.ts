import type { RelationshipType } from '@svc/engine';
import { bigint, index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core';
import { entities } from './entities.ts';

const moment = () => timestamp({ withTimezone: true, precision: 3 });
const end = () =>
  integer()
    .notNull()
    .references(() => entities.id, { onDelete: 'cascade' });

/** How one entity is related to another, over all jobs (resolved-intel 6.2). */
export const relationships = pgTable(
  'relationships',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    sourceId: end(),
    targetId: end(),
    type: text().$type<RelationshipType>().notNull(),
    /** When the first and the last job that show it were analysed. */
    firstSeenAt: moment().notNull(),
    lastSeenAt: moment().notNull(),
    /** The sum over `relationship_evidence`. */
    occurrenceCount: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [
    uniqueIndex('relationships_by_ends').on(table.sourceId, table.targetId, table.type),
    // Those of an entity, the strongest first, by direction.
    index('relationships_of_source').on(table.sourceId, table.type, table.occurrenceCount),
    index('relationships_of_target').on(table.targetId, table.type, table.occurrenceCount),
  ],
);

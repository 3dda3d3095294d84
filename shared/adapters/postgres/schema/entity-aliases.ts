import { index, integer, pgTable, timestamp, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { entities } from './entities.ts';

/** Entities that members say are one and the same; what has no row is by itself (decision 100). */
export const entityAliases = pgTable(
  'entity_aliases',
  {
    entityId: integer()
      .primaryKey()
      .references(() => entities.id, { onDelete: 'cascade' }),
    /** The lowest id of the group when it was last changed: no other group has it, since ids do not come again. */
    groupId: integer().notNull(),
    /** Who put it into the group, and when. */
    createdBy: uuid().references(() => accounts.id, { onDelete: 'set null' }),
    createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    // All of a group.
    index('entity_aliases_of_group').on(table.groupId, table.entityId),
  ],
);

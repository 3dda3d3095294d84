import { index, integer, pgTable, primaryKey, timestamp, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { entities } from './entities.ts';
import { tags } from './tags.ts';

/** Tags that an entity carries. */
export const entityTags = pgTable(
  'entity_tags',
  {
    entityId: integer()
      .notNull()
      .references(() => entities.id, { onDelete: 'cascade' }),
    tagId: integer()
      .notNull()
      .references(() => tags.id, { onDelete: 'cascade' }),
    /** Null for a rule. */
    createdBy: uuid().references(() => accounts.id, { onDelete: 'set null' }),
    createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.entityId, table.tagId] }),
    // Entities that carry a tag, and how many.
    index('entity_tags_of_tag').on(table.tagId, table.entityId),
  ],
);

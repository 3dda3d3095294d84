import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { entities } from './entities.ts';

/**
 * What searches ask of an entity but its times and amounts. Beside it, since a row of it is written only when one of
 * these changes, and its indexes cost a hundred times what those of `entities` do.
 */
export const entitySearch = pgTable(
  'entity_search',
  {
    entityId: integer()
      .primaryKey()
      .references(() => entities.id, { onDelete: 'cascade' }),
    /** `entities.value_key`. */
    words: text().notNull(),
    /** Type, tags, attributes and flags, as numbers. */
    facets: integer().array().notNull(),
  },
  (table) => [
    // Words anywhere in the value. Without a list of what waits for the index, which each search would read.
    index('entity_search_by_words').using('gin', table.words.op('gin_trgm_ops')).with({ fastupdate: false }),
    index('entity_search_by_facet').using('gin', table.facets).with({ fastupdate: false }),
  ],
);

import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { entities } from './entities.ts';

/**
 * What is new waits for the index, at most so many kB of it, which each search reads: a thousand values are put in at once
 * in a fifth of the time that they take one by one (decision 99).
 */
const waiting = { fastupdate: true, gin_pending_list_limit: 1024 };

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
    // Words anywhere in the value.
    index('entity_search_by_words').using('gin', table.words.op('gin_trgm_ops')).with(waiting),
    index('entity_search_by_facet').using('gin', table.facets).with(waiting),
  ],
);

import { listFolding } from '@svc/domain';
import { sql, type SQL } from 'drizzle-orm';
import { index, integer, pgTable, text, type PgColumn } from 'drizzle-orm/pg-core';
import { entities } from './entities.ts';

/**
 * What is new waits for the index, at most so many kB of it, which each search reads: a thousand values are put in at once
 * in a fifth of the time that they take one by one (decision 99).
 */
const waiting = { fastupdate: true, gin_pending_list_limit: 1024 };

/** The most characters of a value, from its end, that lists are compared with: an entry has fewer. */
const listedEnd = 401;

/** What `listKey` makes of a lower-case value, from behind. */
function turnedKey(words: PgColumn): SQL {
  const { from, to } = listFolding;
  const key = sql`replace(translate(normalize(${words}, NFKC), ${sql.raw(`'${from}', '${to}'`)}), 'ß', 'ss')`;
  return sql`left(reverse(${key}), ${sql.raw(String(listedEnd))}) collate "C"`;
}

/**
 * What searches ask of an entity but its tags, times and amounts. Beside it, since a row of it is written only when one of
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
    /** Type, attributes and flags, as numbers; of rows written by earlier versions also tags, which nothing asks for. */
    facets: integer().array().notNull(),
  },
  (table) => [
    // Words anywhere in the value.
    index('entity_search_by_words').using('gin', table.words.op('gin_trgm_ops')).with(waiting),
    // Values that are in a list, or end with an entry of one.
    index('entity_search_by_end').on(sql`(${turnedKey(table.words)})`),
    index('entity_search_by_facet').using('gin', table.facets).with(waiting),
  ],
);

/** Values from behind, without differences of case and width. */
export const wordsTurned = turnedKey(entitySearch.words);

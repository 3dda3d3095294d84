import { bigserial, boolean, customType, integer, pgTable, primaryKey, timestamp, varchar } from 'drizzle-orm/pg-core';

const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });
const moment = () => timestamp({ withTimezone: true, precision: 3 });

/**
 * Which jobs have what lists are narrowed by, a bit for each job of a run of 1,024 ids. Derived from the jobs,
 * and true of all but those in `job_changes`.
 */
export const jobFacets = pgTable(
  'job_facets',
  {
    facet: varchar({ length: 200 }).notNull(),
    /** Ids divided by 1,024. */
    chunk: integer().notNull(),
    bits: bytea().notNull(),
  },
  (table) => [primaryKey({ columns: [table.facet, table.chunk] })],
);

/** When the jobs of a run of ids were created: the earliest and latest that there ever was, and if in the order of ids. */
export const jobChunks = pgTable('job_chunks', {
  chunk: integer().primaryKey(),
  firstAt: moment().notNull(),
  lastAt: moment().notNull(),
  inOrder: boolean().notNull().default(false),
});

/** Jobs whose facets are not known yet; triggers add them, in the transaction that changes them. */
export const jobChanges = pgTable('job_changes', {
  id: bigserial({ mode: 'number' }).primaryKey(),
  jobId: integer().notNull(),
});

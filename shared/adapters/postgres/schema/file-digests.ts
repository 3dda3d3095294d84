import { bit, index, integer, pgTable, smallint } from 'drizzle-orm/pg-core';
import { uploadedFiles } from './uploaded-files.ts';

/** The files that have a TLSH digest, by its parts: narrow, since a search compares many. */
export const fileDigests = pgTable(
  'file_digests',
  {
    fileId: integer()
      .primaryKey()
      .references(() => uploadedFiles.id, { onDelete: 'cascade' }),
    /** Length class and ratios of quartiles: digests whose heads are too far apart are so altogether. */
    head: integer().notNull(),
    checksum: smallint().notNull(),
    /** What the content consists of, such that distances are counts of bits. */
    code: bit({ dimensions: 384 }).notNull(),
  },
  (table) => [
    // Digests whose heads are near.
    index('file_digests_by_head').on(table.head),
  ],
);

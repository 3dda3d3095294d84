import { logTypes } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, text, timestamp, varchar } from 'drizzle-orm/pg-core';

export const uploadedFiles = pgTable(
  'uploaded_files',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    originalName: varchar({ length: 512 }).notNull(),
    storageKey: varchar({ length: 100 }).notNull().unique('uploaded_files_storage_key'),
    sha256: varchar({ length: 64 }).notNull().unique('uploaded_files_sha256'),
    sizeBytes: bigint({ mode: 'number' }).notNull(),
    detectedType: text({ enum: logTypes }).notNull(),
    uploadedAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
    uploaderIp: varchar({ length: 45 }).notNull(),
    /** Digest for similar files (resolved-platform 9.1); empty when there is none, null until it was looked for. */
    tlsh: varchar({ length: 72 }),
  },
  (table) => [
    // Beginnings of a digest, as a search names them, in whatever order the database sorts texts.
    index('uploaded_files_sha256_begins').on(table.sha256.op('varchar_pattern_ops')),
    // Files to make digests of, newest first.
    index('uploaded_files_without_tlsh')
      .on(table.id)
      .where(sql`${table.tlsh} is null`),
  ],
);

import { logTypes } from '@svc/domain';
import { bigint, integer, pgTable, text, timestamp, varchar } from 'drizzle-orm/pg-core';

export const uploadedFiles = pgTable('uploaded_files', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  originalName: varchar({ length: 512 }).notNull(),
  storageKey: varchar({ length: 100 }).notNull().unique('uploaded_files_storage_key'),
  sha256: varchar({ length: 64 }).notNull().unique('uploaded_files_sha256'),
  sizeBytes: bigint({ mode: 'number' }).notNull(),
  detectedType: text({ enum: logTypes }).notNull(),
  uploadedAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  uploaderIp: varchar({ length: 45 }).notNull(),
});

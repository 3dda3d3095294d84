import { walkPurposes, type WalkFound } from '@svc/application/admin/storage/storage-records.ts';
import { integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const moment = () => timestamp({ withTimezone: true, precision: 3 });

/** Walks over all objects of the store: the last of each purpose, from where it goes on if it has not ended. */
export const storageWalks = pgTable('storage_walks', {
  purpose: text({ enum: walkPurposes }).primaryKey(),
  /** Grows with each page, so that of two who go on at once the later does nothing. */
  pages: integer().notNull(),
  beganAt: moment().notNull(),
  changedAt: moment().notNull(),
  endedAt: moment(),
  /** What the store goes on after. */
  cursor: text(),
  found: jsonb().$type<WalkFound>().notNull(),
});

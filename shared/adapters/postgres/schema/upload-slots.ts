import { not } from 'drizzle-orm';
import { bigint, boolean, char, index, integer, pgTable, timestamp, uuid, varchar } from 'drizzle-orm/pg-core';
import { jobs } from './jobs.ts';

/** Uploads that clients send by themselves: reserved, then submitted, then remembered for a while. */
export const uploadSlots = pgTable(
  'upload_slots',
  {
    id: char({ length: 32 }).primaryKey(),
    storageKey: varchar({ length: 100 }),
    fileName: varchar({ length: 512 }).notNull(),
    sizeBytes: bigint({ mode: 'number' }).notNull(),
    sha256: char({ length: 64 }).notNull(),
    /** No reference: the slot outlives its account until the sweep has removed its object. */
    userId: uuid(),
    ip: varchar({ length: 45 }).notNull(),
    /** Whose quota it counts for while it is not used. */
    owner: varchar({ length: 80 }),
    createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
    expiresAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
    used: boolean().notNull().default(false),
    fingerprint: char({ length: 64 }),
    jobId: integer().references(() => jobs.id, { onDelete: 'set null' }),
    reused: boolean().notNull().default(false),
  },
  (table) => [
    // The sweep.
    index('upload_slots_by_expiry').on(table.expiresAt),
    // The sum for a quota.
    index('upload_slots_open_of_owner').on(table.owner).where(not(table.used)),
    // Whether an object of the store is one of these.
    index('upload_slots_by_key').using('hash', table.storageKey),
  ],
);

import type { WorkerCounts, WorkerFacts, WorkerJob } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { check, integer, jsonb, pgTable, timestamp, varchar } from 'drizzle-orm/pg-core';

const moment = () => timestamp({ withTimezone: true, precision: 3 }).notNull();

/** Processes that analyse jobs; as few rows as there are, so that none is looked up by an index. */
export const workers = pgTable('workers', {
  process: varchar({ length: 300 }).primaryKey(),
  hostname: varchar({ length: 255 }).notNull(),
  facts: jsonb().$type<WorkerFacts>().notNull(),
  jobs: jsonb().$type<readonly WorkerJob[]>().notNull(),
  counts: jsonb().$type<WorkerCounts>().notNull(),
  lastSeen: moment(),
  /** When it counts as gone, unless it says something before. */
  aliveUntil: moment(),
  /** When its jobs count no more against the cap of its host. */
  slotsUntil: moment(),
});

/** Jobs that a host may have under way at a time. It outlives the host's workers, which are restarted meanwhile. */
export const workerPolicies = pgTable(
  'worker_policies',
  {
    hostname: varchar({ length: 255 }).primaryKey(),
    cap: integer().notNull(),
  },
  (table) => [check('worker_policies_cap', sql`${table.cap} >= -1`)],
);

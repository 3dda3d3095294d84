import type { StoredEvent } from '@svc/application/report/new-finding.ts';
import { integer, json, jsonb, pgTable } from 'drizzle-orm/pg-core';
import { findings } from './findings.ts';

/** Sample events, apart from their findings because they are large and seldom read. */
export const findingEvents = pgTable('finding_events', {
  findingId: integer()
    .primaryKey()
    .references(() => findings.id, { onDelete: 'cascade' }),
  /** Those of before there was `inOrder`, whose fields `jsonb` has put in an order of its own; empty since. */
  events: jsonb().$type<readonly StoredEvent[]>().notNull().default([]),
  /** As text, so that the fields stay in the order of the log. */
  inOrder: json().$type<readonly StoredEvent[]>(),
});

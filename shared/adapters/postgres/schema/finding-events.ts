import type { StoredEvent } from '@svc/application/report/new-finding.ts';
import { integer, json, jsonb, pgTable } from 'drizzle-orm/pg-core';
import { findings } from './findings.ts';

/** Sample events that are in no object: of before there were such, and where the store could not take one; until they are moved. */
export const findingEvents = pgTable('finding_events', {
  findingId: integer()
    .primaryKey()
    .references(() => findings.id, { onDelete: 'cascade' }),
  /** Those of before there was `inOrder`, whose fields `jsonb` has put in an order of its own; empty since. */
  events: jsonb().$type<readonly StoredEvent[]>().notNull().default([]),
  /** As text, so that the fields stay in the order of the log. */
  inOrder: json().$type<readonly StoredEvent[]>(),
});

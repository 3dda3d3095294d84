import type { StoredEvent } from '@svc/application/report/new-finding.ts';
import { integer, jsonb, pgTable } from 'drizzle-orm/pg-core';
import { findings } from './findings.ts';

/** Sample events, apart from their findings because they are large and seldom read. */
export const findingEvents = pgTable('finding_events', {
  findingId: integer()
    .primaryKey()
    .references(() => findings.id, { onDelete: 'cascade' }),
  events: jsonb().$type<readonly StoredEvent[]>().notNull(),
});

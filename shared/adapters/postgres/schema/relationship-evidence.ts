import { index, integer, json, pgTable, primaryKey, timestamp } from 'drizzle-orm/pg-core';
import { jobs } from './jobs.ts';
import { relationships } from './relationships.ts';

const moment = () => timestamp({ withTimezone: true, precision: 3 });

/** What one job shows of a relationship. */
export const relationshipEvidence = pgTable(
  'relationship_evidence',
  {
    relationshipId: integer()
      .notNull()
      .references(() => relationships.id, { onDelete: 'cascade' }),
    jobId: integer()
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    /** Events of the job that show it, and those of them that tell of a failure. */
    occurrenceCount: integer().notNull(),
    failedCount: integer().notNull(),
    /** First and last time of these events; null where none has a time. */
    observedFrom: moment(),
    observedTo: moment(),
    /** When the job was analysed. */
    seenAt: moment().notNull(),
    /** The first of them, trimmed, with the fields in the log's order. */
    sampleEvents: json().$type<readonly Readonly<Record<string, unknown>>[]>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.relationshipId, table.jobId] }),
    // What a job shows.
    index('relationship_evidence_of_job').on(table.jobId, table.relationshipId),
  ],
);

import { commentLimits } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, timestamp, uuid, varchar } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { cases } from './cases.ts';
import { entities } from './entities.ts';
import { jobs } from './jobs.ts';

const moment = () => timestamp({ withTimezone: true, precision: 3 });
const account = () => uuid().references(() => accounts.id, { onDelete: 'set null' });

/** Each is on one thing, with which it goes; a deleted one stays for a while, without its text. */
export const comments = pgTable(
  'comments',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    jobId: integer().references(() => jobs.id, { onDelete: 'cascade' }),
    caseId: integer().references(() => cases.id, { onDelete: 'cascade' }),
    entityId: integer().references(() => entities.id, { onDelete: 'cascade' }),
    authorId: account(),
    body: varchar({ length: commentLimits.length }).notNull(),
    createdAt: moment().notNull(),
    editedAt: moment(),
    deletedAt: moment(),
    deletedBy: account(),
  },
  (table) => [
    check('comments_on_one_thing', sql`num_nonnulls(${table.jobId}, ${table.caseId}, ${table.entityId}) = 1`),
    // Threads, newest first, and their lengths.
    index('comments_on_job')
      .on(table.jobId, table.id)
      .where(sql`${table.deletedAt} is null`),
    index('comments_on_case')
      .on(table.caseId, table.id)
      .where(sql`${table.deletedAt} is null`),
    index('comments_on_entity')
      .on(table.entityId, table.id)
      // Deleted ones too: they go with entities, of which many go at once.
      .where(sql`${table.entityId} is not null`),
    // The sweep.
    index('comments_deleted')
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} is not null`),
  ],
);

import { tagColors, tagLimits } from '@svc/domain';
import { index, integer, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid, varchar } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { jobs } from './jobs.ts';

const moment = () => timestamp({ withTimezone: true, precision: 3 });

/** The vocabulary; a tag stays in it when nothing carries it. */
export const tags = pgTable(
  'tags',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    name: varchar({ length: tagLimits.length }).notNull(),
    color: text({ enum: tagColors }).notNull(),
    description: varchar({ length: tagLimits.description }),
    createdBy: uuid().references(() => accounts.id, { onDelete: 'set null' }),
    createdAt: moment().notNull(),
  },
  (table) => [uniqueIndex('tags_by_name').on(table.name)],
);

/** Tags that a job carries. */
export const jobTags = pgTable(
  'job_tags',
  {
    /** Tells one giving of a tag from the next, when it was taken off between. */
    id: integer().notNull().generatedAlwaysAsIdentity(),
    jobId: integer()
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    tagId: integer()
      .notNull()
      .references(() => tags.id, { onDelete: 'cascade' }),
    createdBy: uuid().references(() => accounts.id, { onDelete: 'set null' }),
    createdAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.jobId, table.tagId] }),
    // Jobs that carry a tag, and how many.
    index('job_tags_of_tag').on(table.tagId, table.jobId),
  ],
);

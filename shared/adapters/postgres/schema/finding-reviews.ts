import { longestHost, reviewLimits, reviewStates } from '@svc/domain';
import { boolean, integer, pgTable, primaryKey, text, timestamp, uuid, varchar } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { jobs } from './jobs.ts';

const moment = () => timestamp({ withTimezone: true, precision: 3 });
const account = () => uuid().references(() => accounts.id, { onDelete: 'set null' });

/** Decisions about findings, by their rule: a job that is analysed again has findings with other ids. */
export const findingReviews = pgTable(
  'finding_reviews',
  {
    jobId: integer()
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    ruleSignature: varchar({ length: 200 }).notNull(),
    state: text({ enum: reviewStates }).notNull(),
    note: varchar({ length: reviewLimits.note }).notNull(),
    assigneeId: account(),
    reviewedBy: account(),
    reviewedAt: moment().notNull(),
    isRemembered: boolean().notNull(),
    isFromEarlier: boolean().notNull(),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.ruleSignature] })],
);

/** What an account decided about a rule on a host and wants applied to its later jobs. */
export const rememberedReviews = pgTable(
  'remembered_reviews',
  {
    ownerId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    ruleSignature: varchar({ length: 200 }).notNull(),
    /** In lower case. */
    host: varchar({ length: longestHost }).notNull(),
    /** Decided in a private job: nothing else may tell of it. */
    isPrivate: boolean().notNull(),
    state: text({ enum: reviewStates }).notNull(),
    note: varchar({ length: reviewLimits.note }).notNull(),
    at: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.ruleSignature, table.host, table.isPrivate] })],
);

import { alertRuleLimits, alertRuleScopes, type EntityType } from '@svc/domain';
import { index, integer, pgTable, primaryKey, text, timestamp, uuid, varchar } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { entities } from './entities.ts';
import { jobs } from './jobs.ts';

const moment = () => timestamp({ withTimezone: true, precision: 3 });

/** What a condition would have matched in a range of time, looked up aside for the account that asked (resolved-intel 24). */
export const alertRuleBacktests = pgTable(
  'alert_rule_backtests',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    scope: text({ enum: alertRuleScopes }).notNull(),
    query: varchar({ length: alertRuleLimits.query }).notNull(),
    entityTypes: text().array().$type<EntityType[]>().notNull(),
    /** The one entity that is meant, of a star. */
    entityId: integer().references(() => entities.id, { onDelete: 'cascade' }),
    /** Jobs that were created from then on and before then. */
    since: moment().notNull(),
    until: moment().notNull(),
    /** Jobs of the range when it was asked for, and how many of them have been looked at; the newest first. */
    jobsTotal: integer().notNull(),
    jobsDone: integer().notNull().default(0),
    /** The last job that was looked at; null before the first. */
    lastJobId: integer(),
    createdAt: moment().notNull(),
  },
  // The last of an account.
  (table) => [
    index('alert_rule_backtests_of_account').on(table.accountId, table.id),
    index('alert_rule_backtests_of_entity').on(table.entityId),
  ],
);

/** Jobs that a back-test matched, with the first of the entities. */
export const alertRuleBacktestMatches = pgTable(
  'alert_rule_backtest_matches',
  {
    backtestId: integer()
      .notNull()
      .references(() => alertRuleBacktests.id, { onDelete: 'cascade' }),
    jobId: integer()
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    /** Entities of the job that meet the condition; 1 of a condition on jobs. */
    matches: integer().notNull(),
    /** No references: those that have gone are left out. */
    entityIds: integer().array().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.backtestId, table.jobId] }),
    index('alert_rule_backtest_matches_of_job').on(table.jobId),
  ],
);

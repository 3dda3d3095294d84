import { sql } from 'drizzle-orm';
import { index, integer, pgTable, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { alertRules } from './alert-rules.ts';
import { entities } from './entities.ts';
import { jobs } from './jobs.ts';

const common = () => ({
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  ruleId: integer()
    .notNull()
    .references(() => alertRules.id, { onDelete: 'cascade' }),
  jobId: integer()
    .notNull()
    .references(() => jobs.id, { onDelete: 'cascade' }),
  createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  /** Also of a match that is no alert, but was told to a webhook; nobody has acknowledged that. */
  acknowledgedAt: timestamp({ withTimezone: true, precision: 3 }),
  acknowledgedBy: uuid().references(() => accounts.id, { onDelete: 'set null' }),
});

/** That a rule matched an entity of a job (resolved-intel 14.1). */
export const entityAlerts = pgTable(
  'entity_alerts',
  {
    ...common(),
    entityId: integer()
      .notNull()
      .references(() => entities.id, { onDelete: 'cascade' }),
  },
  (table) => [
    // One of a rule, an entity and a job, however often the job is analysed; those of a job.
    uniqueIndex('entity_alerts_once').on(table.jobId, table.ruleId, table.entityId),
    // Those of an entity, and of an account that goes.
    index('entity_alerts_of_entity').on(table.entityId),
    index('entity_alerts_of_account').on(table.acknowledgedBy),
    index('entity_alerts_of_rule').on(table.ruleId, table.id),
    // What waits to be acknowledged.
    index('entity_alerts_unread')
      .on(table.ruleId, table.id)
      .where(sql`${table.acknowledgedAt} is null`),
  ],
);

/** That a rule matched a job. */
export const jobAlerts = pgTable('job_alerts', common(), (table) => [
  uniqueIndex('job_alerts_once').on(table.jobId, table.ruleId),
  index('job_alerts_of_account').on(table.acknowledgedBy),
  index('job_alerts_of_rule').on(table.ruleId, table.id),
  index('job_alerts_unread')
    .on(table.ruleId, table.id)
    .where(sql`${table.acknowledgedAt} is null`),
]);

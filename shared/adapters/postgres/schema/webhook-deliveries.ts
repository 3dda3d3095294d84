import { deliveryStates, webhookEvents, webhookLimits, type WebhookRequest } from '@svc/domain';
import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
import { alertRules } from './alert-rules.ts';
import { jobs } from './jobs.ts';

const moment = () => timestamp({ withTimezone: true, precision: 3 });

/** What is to be told to the webhook of a rule, once; its id is what receivers know it by (resolved-intel 14.5). */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid().primaryKey(),
    ruleId: integer()
      .notNull()
      .references(() => alertRules.id, { onDelete: 'cascade' }),
    /** Null of a test; what was told of a job goes with it. */
    jobId: integer().references(() => jobs.id, { onDelete: 'cascade' }),
    event: text({ enum: webhookEvents }).notNull(),
    matchCount: integer().notNull(),
    /** Ids of the first entities that it names; of watched jobs, what happened. The body is made of them when it is sent. */
    facts: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
    state: text({ enum: deliveryStates }).notNull(),
    attempts: smallint().notNull().default(0),
    /** Attempts that were made before somebody asked for it again: those since then are counted against the limit. */
    attemptsBefore: smallint().notNull().default(0),
    /** When it is queued for its next attempt, or looked after should that come to nothing; null when there is none. */
    dueAt: moment(),
    createdAt: moment().notNull(),
  },
  (table) => [
    index('webhook_deliveries_of_rule').on(table.ruleId, table.createdAt),
    index('webhook_deliveries_of_job').on(table.jobId),
    // What is to be sent.
    index('webhook_deliveries_due')
      .on(table.dueAt)
      .where(sql`${table.dueAt} is not null`),
    // For the removal of old ones.
    index('webhook_deliveries_created').on(table.createdAt),
  ],
);

/** How an attempt to deliver went. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    deliveryId: uuid()
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: 'cascade' }),
    /** From 1. */
    attempt: smallint().notNull(),
    /** What was sent, as it was sent; null when nothing was. Of the secret it has the signature alone. */
    request: jsonb().$type<WebhookRequest>(),
    statusCode: smallint(),
    /** Null until it is known how it went. */
    ok: boolean(),
    errorMessage: varchar({ length: webhookLimits.error }),
    durationMs: integer(),
    nextAttemptAt: moment(),
    createdAt: moment().notNull(),
  },
  (table) => [uniqueIndex('webhook_attempts_of_delivery').on(table.deliveryId, table.attempt)],
);

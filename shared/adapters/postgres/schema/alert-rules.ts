import {
  alertRuleLimits,
  alertRuleScopes,
  webhookMethods,
  type ActionTag,
  type AlertRuleDefinition,
  type EntityType,
  type WebhookTemplate,
} from '@svc/domain';
import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { entities } from './entities.ts';

const moment = () => timestamp({ withTimezone: true, precision: 3 });

/** Rules of users, and those of the whole site, which have a key and no owner (resolved-intel 10.1). */
export const alertRules = pgTable(
  'alert_rules',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    ownerId: uuid().references(() => accounts.id, { onDelete: 'cascade' }),
    key: varchar({ length: alertRuleLimits.key }).unique(),
    name: varchar({ length: alertRuleLimits.name }).notNull(),
    description: varchar({ length: alertRuleLimits.description }).notNull(),
    scope: text({ enum: alertRuleScopes }).notNull(),
    query: varchar({ length: alertRuleLimits.query }).notNull(),
    entityTypes: text().array().$type<EntityType[]>().notNull(),
    actionTags: jsonb().$type<readonly ActionTag[]>().notNull(),
    notifies: boolean().notNull(),
    webhookUrl: varchar({ length: alertRuleLimits.url }),
    webhookMethod: text({ enum: webhookMethods }).notNull(),
    webhookHeaders: jsonb().$type<Readonly<Record<string, string | number>>>().notNull(),
    webhookEnabled: boolean().notNull(),
    /** Null for the product's own body. */
    webhookTemplate: jsonb().$type<WebhookTemplate>(),
    sealedSecret: text(),
    tellsOfWatchedJobs: boolean().notNull(),
    enabled: boolean().notNull(),
    /** Whose star made it. */
    autoEntityId: integer().references(() => entities.id, { onDelete: 'set null' }),
    seedHash: text(),
    lastEvaluatedAt: moment(),
    lastMatchedAt: moment(),
    lastTruncatedAt: moment(),
    matchCount: integer().notNull().default(0),
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
  },
  (table) => [
    // What a person owns, and one that follows each entity.
    index('alert_rules_of_owner').on(table.ownerId, table.id),
    uniqueIndex('alert_rules_of_star').on(table.autoEntityId, table.ownerId),
    // Where what happens to the jobs that a person watches goes.
    uniqueIndex('alert_rules_of_watches')
      .on(table.ownerId)
      .where(sql`${table.tellsOfWatchedJobs}`),
  ],
);

/** What a rule said before and says now, newest last. */
export const alertRuleVersions = pgTable(
  'alert_rule_versions',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    ruleId: integer()
      .notNull()
      .references(() => alertRules.id, { onDelete: 'cascade' }),
    /** From 1. */
    version: integer().notNull(),
    definition: jsonb().$type<AlertRuleDefinition>().notNull(),
    changedBy: uuid().references(() => accounts.id, { onDelete: 'set null' }),
    changedAt: moment().notNull(),
  },
  (table) => [uniqueIndex('alert_rule_versions_of_rule').on(table.ruleId, table.version)],
);

import {
  enrichmentLimits,
  enrichmentMethods,
  graphVerdicts,
  type EnrichmentSummary,
  type EntityType,
  type SummaryField,
  type VerdictRule,
} from '@svc/domain';
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { cases } from './cases.ts';
import { entities } from './entities.ts';

const moment = () => timestamp({ withTimezone: true, precision: 3 });

/** Services that know something about entities (resolved-platform 19). */
export const enrichmentServices = pgTable('enrichment_services', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  name: varchar({ length: enrichmentLimits.name }).notNull().unique(),
  providerKey: varchar({ length: 40 }).notNull(),
  entityTypes: jsonb().$type<readonly EntityType[]>().notNull(),
  linkTemplate: varchar({ length: enrichmentLimits.template }),
  apiTemplate: varchar({ length: enrichmentLimits.template }),
  apiMethod: text({ enum: enrichmentMethods }).notNull(),
  apiHeaders: jsonb().$type<Readonly<Record<string, string>>>().notNull(),
  apiBody: varchar({ length: enrichmentLimits.body }),
  sealedToken: text(),
  cacheTtlSeconds: integer().notNull(),
  /** Null for what the deployment allows any service. */
  perMinute: integer(),
  summaryFields: jsonb().$type<readonly SummaryField[]>().notNull(),
  verdictRules: jsonb().$type<readonly VerdictRule[]>().notNull(),
  enabled: boolean().notNull(),
  displayOrder: integer().notNull(),
  notes: varchar({ length: enrichmentLimits.notes }).notNull(),
  /** Failures in a row, and until when it is left alone for them. */
  failures: integer().notNull().default(0),
  openUntil: moment(),
  lastError: text(),
  createdAt: moment().notNull(),
  updatedAt: moment().notNull(),
});

/** What services have said of entities, the last each. */
export const entityEnrichments = pgTable(
  'entity_enrichments',
  {
    entityId: integer()
      .notNull()
      .references(() => entities.id, { onDelete: 'cascade' }),
    serviceId: integer()
      .notNull()
      .references(() => enrichmentServices.id, { onDelete: 'cascade' }),
    /** As it came; null where nothing did. */
    response: text(),
    summary: jsonb().$type<EnrichmentSummary>().notNull(),
    verdict: text({ enum: graphVerdicts }).notNull(),
    ok: boolean().notNull(),
    errorMessage: text(),
    fetchedAt: moment().notNull(),
    expiresAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.entityId, table.serviceId] }),
    // How many there are of a service, and what goes with it.
    index('entity_enrichments_of_service').on(table.serviceId),
    // Those to forget.
    index('entity_enrichments_fetched').on(table.fetchedAt),
  ],
);

/** Look-ups of several entities, whose tasks name them. */
export const enrichmentRuns = pgTable(
  'enrichment_runs',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    serviceId: integer()
      .notNull()
      .references(() => enrichmentServices.id, { onDelete: 'cascade' }),
    caseId: integer().references(() => cases.id, { onDelete: 'cascade' }),
    requestedBy: uuid().references(() => accounts.id, { onDelete: 'set null' }),
    entityIds: integer().array().notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [
    // The last of a case.
    index('enrichment_runs_of_case').on(table.caseId, table.serviceId, table.id),
    index('enrichment_runs_of_service').on(table.serviceId),
    index('enrichment_runs_requested_by').on(table.requestedBy),
  ],
);

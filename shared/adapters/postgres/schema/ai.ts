import { aiKinds, aiLimits, aiRunStatuses } from '@svc/domain';
import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  timestamp,
  uniqueIndex,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { cases } from './cases.ts';
import { jobs } from './jobs.ts';

const moment = () => timestamp({ withTimezone: true, precision: 3 });

/** Where models are asked (service 2.16). */
export const aiProviders = pgTable(
  'ai_providers',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    name: varchar({ length: aiLimits.name }).notNull(),
    kind: text({ enum: aiKinds }).notNull(),
    baseUrl: varchar({ length: aiLimits.baseUrl }).notNull(),
    model: varchar({ length: aiLimits.model }).notNull(),
    sealedToken: text(),
    systemPrompt: text(),
    caseSystemPrompt: text(),
    temperature: real().notNull(),
    maxOutputTokens: integer().notNull(),
    jobMaxPromptChars: integer(),
    caseMaxPromptChars: integer(),
    timeoutSeconds: integer().notNull(),
    pseudonyms: boolean(),
    isEnabled: boolean().notNull(),
    isDefault: boolean().notNull(),
    notes: varchar({ length: aiLimits.notes }).notNull(),
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
  },
  (table) => [
    uniqueIndex('ai_providers_name').on(sql`lower(${table.name})`),
    // At most one.
    uniqueIndex('ai_providers_default')
      .on(table.isDefault)
      .where(sql`${table.isDefault}`),
  ],
);

/** Answers that somebody asked for (service 2.17), each about a job or a case. */
export const aiRuns = pgTable(
  'ai_runs',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    jobId: integer().references(() => jobs.id, { onDelete: 'cascade' }),
    caseId: integer().references(() => cases.id, { onDelete: 'cascade' }),
    providerId: integer().references(() => aiProviders.id, { onDelete: 'set null' }),
    /** As they were called then. */
    providerName: varchar({ length: aiLimits.name }).notNull(),
    model: varchar({ length: aiLimits.model }).notNull(),
    timeoutSeconds: integer().notNull(),
    status: text({ enum: aiRunStatuses }).notNull(),
    /** Of a run that has ended; until then it is in `ai_run_parts`. */
    content: text(),
    errorMessage: varchar({ length: aiLimits.errorMessage }),
    logOutput: text().notNull().default(''),
    /** What was sent, where the site keeps it. */
    prompt: jsonb().$type<StoredPrompt>(),
    requestedBy: uuid().references(() => accounts.id, { onDelete: 'set null' }),
    promptChars: integer().notNull().default(0),
    inputTokens: integer(),
    outputTokens: integer(),
    durationMs: integer(),
    createdAt: moment().notNull(),
    startedAt: moment(),
    heartbeatAt: moment(),
    cancelRequestedAt: moment(),
    finishedAt: moment(),
    evidenceCapturedAt: moment(),
    sourceDeletedAt: moment(),
  },
  (table) => [
    check('ai_runs_subject', sql`(${table.jobId} is null) <> (${table.caseId} is null)`),
    // Those of a job and of a case, the newest first.
    index('ai_runs_of_job').on(table.jobId, table.id),
    index('ai_runs_of_case').on(table.caseId, table.id),
    // What was asked lately, by everybody and by one.
    index('ai_runs_created').on(table.createdAt),
    index('ai_runs_of_provider').on(table.providerId),
    index('ai_runs_of_account').on(table.requestedBy, table.createdAt),
    // What is under way.
    index('ai_runs_in_flight')
      .on(table.id)
      .where(sql`${table.status} in ('pending', 'running')`),
  ],
);

/** What a run has sent, and what its tokens stand for. */
export interface StoredPrompt {
  readonly system: string;
  readonly user: string;
  readonly omissions: readonly string[];
  readonly pseudonyms: readonly (readonly [token: string, value: string])[];
}

/** The jobs that a run over a case has read; they stay named when they are gone. */
export const aiRunSources = pgTable(
  'ai_run_sources',
  {
    runId: integer()
      .notNull()
      .references(() => aiRuns.id, { onDelete: 'cascade' }),
    jobId: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.jobId] }), index('ai_run_sources_of_job').on(table.jobId)],
);

/** What a run that is under way has written so far, in pieces. */
export const aiRunParts = pgTable(
  'ai_run_parts',
  {
    runId: integer()
      .notNull()
      .references(() => aiRuns.id, { onDelete: 'cascade' }),
    /** Where in the text the piece begins and ends, as JavaScript counts. */
    start: integer().notNull(),
    until: integer().notNull(),
    content: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.start] })],
);

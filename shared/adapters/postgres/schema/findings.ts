import { severities, type FindingPart } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, smallint, text, varchar } from 'drizzle-orm/pg-core';
import { jobs } from './jobs.ts';
import { taskResults } from './task-results.ts';

export const findings = pgTable(
  'findings',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    taskResultId: integer()
      .notNull()
      .references(() => taskResults.id, { onDelete: 'cascade' }),
    jobId: integer()
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    ruleId: varchar({ length: 100 }),
    ruleName: varchar({ length: 500 }).notNull(),
    ruleAuthor: text(),
    severity: text({ enum: severities }).notNull(),
    /** 0 is the worst. */
    severityRank: smallint().notNull(),
    /** The finding of another engine's that stands for this one, too, which then counts nowhere; of the same job. */
    mergedInto: integer(),
    /** Of one that stands for several: what each engine found of the rule, its own first. */
    parts: jsonb().$type<readonly FindingPart[]>(),
    /** Matched events, of all engines that it stands for. */
    count: bigint({ mode: 'number' }).notNull(),
    /** Those of them that the instance has suppressed; with all of them it counts nowhere. */
    suppressed: bigint({ mode: 'number' }).notNull().default(0),
    tags: jsonb().$type<readonly string[]>().notNull(),
    firstSeen: varchar({ length: 40 }),
    lastSeen: varchar({ length: 40 }),
    /** All that matched events name, sorted; null when they are many or were not kept yet. */
    hosts: jsonb().$type<readonly string[]>(),
    /** Sample events. */
    eventsKept: integer().notNull(),
    /** Where they are in the object of the task's `event_packs`; null where they are in `finding_events`, or none. */
    eventsAt: bigint({ mode: 'number' }),
    eventsBytes: integer(),
    ruleSignature: varchar({ length: 200 }).notNull(),
    /** The rule as written, of before there was `ruleSourceId`. */
    ruleSource: text(),
    /** In `rule_sources`; no reference, since all findings of a rule would lock the same row. */
    ruleSourceId: integer(),
  },
  (table) => [
    // A job's findings, worst first; totals by severity.
    index('findings_of_job').on(table.jobId, table.severityRank, table.count.desc().nullsFirst(), table.id),
    // Where a rule fired, newest jobs first.
    index('findings_of_rule').on(table.ruleId, table.jobId),
    // Other jobs in which the same was found, newest first.
    index('findings_of_signature').on(table.ruleSignature, table.jobId, table.count),
    // Clearing a task's findings with it.
    index('findings_of_task').on(table.taskResultId),
    // Those whose rule is still to be stored apart.
    index('findings_with_source')
      .on(table.id)
      .where(sql`${table.ruleSource} is not null`),
  ],
);

import { caseLimits, caseNameLength, caseStatuses, severities, watchLimits } from '@svc/domain';
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { entities } from './entities.ts';
import { jobs } from './jobs.ts';

const moment = () => timestamp({ withTimezone: true, precision: 3 });
const matches = () => bigint({ mode: 'number' }).notNull().default(0);
const account = () => uuid().references(() => accounts.id, { onDelete: 'set null' });

export const cases = pgTable(
  'cases',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    name: varchar({ length: caseNameLength }).notNull(),
    summary: varchar({ length: caseLimits.summary }),
    status: text({ enum: caseStatuses }).notNull().default('open'),
    severity: text({ enum: severities }),
    // Without its owner a case that is not shared is for those who work on it and administrators.
    ownerId: account(),
    isShared: boolean().notNull(),
    /** The newest; those before it are in `case_narratives`. */
    narrative: varchar({ length: caseLimits.narrative }),
    narrativeVersion: integer().notNull().default(0),
    createdAt: moment().notNull(),
    /** Moves when links and their notes change too. */
    updatedAt: moment().notNull(),
    closedAt: moment(),
    /** Matched events and the worst severity (5 is critical, 0 none) of all its jobs, and of those that are not private. */
    findings: matches(),
    worst: smallint().notNull().default(0),
    sharedFindings: matches(),
    sharedWorst: smallint().notNull().default(0),
  },
  (table) => [
    // List of cases, newest updated first.
    index('cases_updated').on(table.updatedAt, table.id),
    // The same by name, by matches, and the worst first, for administrators and for members.
    index('cases_by_name').on(caseNameKey(table), table.id),
    index('cases_by_findings').on(table.findings, table.id),
    index('cases_by_shared_findings').on(table.sharedFindings, table.id),
    index('cases_by_severity').on(caseSeverityKey(table.worst, table.findings), table.id),
    index('cases_by_shared_severity').on(caseSeverityKey(table.sharedWorst, table.sharedFindings), table.id),
    // A part of the name.
    index('cases_name_parts').using('gin', sql`${caseNameKey(table)} gin_trgm_ops`),
    // Cases of an account.
    index('cases_of_owner').on(table.ownerId),
  ],
);

/** What names are sorted by and searched in. */
export function caseNameKey({ name }: { readonly name: SQLWrapper }): SQL {
  return sql`(lower(${name}) collate "C")`;
}

/** The worst first and, of these, the one with the most matches; without parameters, since an index is made of it. */
export function caseSeverityKey(worst: SQLWrapper, findings: SQLWrapper): SQL {
  return sql`(${worst} * 100000000000000 + least(${findings}, 99999999999999))`;
}

/** Who works on a case beside its owner. */
export const caseCollaborators = pgTable(
  'case_collaborators',
  {
    caseId: integer()
      .notNull()
      .references(() => cases.id, { onDelete: 'cascade' }),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    addedBy: account(),
    addedAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.caseId, table.accountId] }),
    // Cases that somebody works on.
    index('case_collaborators_of_account').on(table.accountId),
  ],
);

/** Narratives of a case, the newest ones of them, each as it was saved. */
export const caseNarratives = pgTable(
  'case_narratives',
  {
    caseId: integer()
      .notNull()
      .references(() => cases.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    body: varchar({ length: caseLimits.narrative }).notNull(),
    savedBy: account(),
    savedAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.caseId, table.version] })],
);

/** Jobs that are in a case. */
export const caseJobs = pgTable(
  'case_jobs',
  {
    caseId: integer()
      .notNull()
      .references(() => cases.id, { onDelete: 'cascade' }),
    jobId: integer()
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    addedBy: account(),
    addedAt: moment().notNull(),
    note: varchar({ length: caseLimits.linkNote }),
    /** Seconds that the clock of its host was ahead: what is taken off its times in the case's timelines. */
    clockOffset: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.caseId, table.jobId] }),
    // Cases that a job is in.
    index('case_jobs_of_job').on(table.jobId),
  ],
);

/** Entities that are in a case. */
export const caseEntities = pgTable(
  'case_entities',
  {
    caseId: integer()
      .notNull()
      .references(() => cases.id, { onDelete: 'cascade' }),
    entityId: integer()
      .notNull()
      .references(() => entities.id, { onDelete: 'cascade' }),
    addedBy: account(),
    addedAt: moment().notNull(),
    note: varchar({ length: caseLimits.linkNote }),
  },
  (table) => [
    primaryKey({ columns: [table.caseId, table.entityId] }),
    // Cases that an entity is in.
    index('case_entities_of_entity').on(table.entityId),
    // Those of a case, newest first.
    index('case_entities_added').on(table.caseId, table.addedAt, table.entityId),
  ],
);

/** A comment on a case that waits in the bell of somebody who has to do with it. */
export const caseNotifications = pgTable(
  'case_notifications',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    caseId: integer()
      .notNull()
      .references(() => cases.id, { onDelete: 'cascade' }),
    commentId: integer().notNull(),
    summary: varchar({ length: watchLimits.summary }).notNull(),
    createdAt: moment().notNull(),
    acknowledgedAt: moment(),
  },
  (table) => [
    // Each is told once.
    uniqueIndex('case_notifications_once').on(table.commentId, table.accountId),
    // The bell.
    index('case_notifications_waiting')
      .on(table.accountId, table.createdAt)
      .where(sql`${table.acknowledgedAt} is null`),
    index('case_notifications_of_case').on(table.caseId),
  ],
);

import { suppressionLimits, type SuppressionCondition } from '@svc/domain';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  timestamp,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { cases } from './cases.ts';
import { findings } from './findings.ts';

const moment = () => timestamp({ withTimezone: true, precision: 3 });

/** Matches of rules that are ordinary here, or in a case. */
export const suppressions = pgTable(
  'suppressions',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** Null for one of the whole instance. */
    caseId: integer().references(() => cases.id, { onDelete: 'cascade' }),
    ruleId: varchar({ length: 100 }).notNull(),
    ruleName: varchar({ length: 500 }).notNull(),
    conditions: jsonb().$type<readonly SuppressionCondition[]>().notNull(),
    reason: varchar({ length: suppressionLimits.reason }).notNull(),
    isPrivate: boolean().notNull(),
    authorId: uuid().references(() => accounts.id, { onDelete: 'set null' }),
    createdAt: moment().notNull(),
    expiresAt: moment(),
    removedAt: moment(),
    appliedAt: moment(),
  },
  (table) => [
    // Those of a rule that hold for a job; those of a rule altogether.
    index('suppressions_of_rule').on(table.ruleId),
    // The list of a case, or of the instance.
    index('suppressions_of_case').on(table.caseId, table.id),
    // Those that findings are still to be marked by.
    index('suppressions_due')
      .on(table.id)
      .where(sql`${table.appliedAt} is null`),
  ],
);

/** How many matches of a finding are suppressed by which; each match by one of the instance and one of each case. */
export const suppressedFindings = pgTable(
  'suppressed_findings',
  {
    findingId: integer()
      .notNull()
      .references(() => findings.id, { onDelete: 'cascade' }),
    suppressionId: integer()
      .notNull()
      .references(() => suppressions.id, { onDelete: 'cascade' }),
    events: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.findingId, table.suppressionId] }),
    // How often one has hit, and what is to be marked anew when it ends.
    index('suppressed_findings_by').on(table.suppressionId, table.findingId),
  ],
);

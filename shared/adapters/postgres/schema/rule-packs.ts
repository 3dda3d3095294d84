import { severities } from '@svc/domain';
import { sql } from 'drizzle-orm';
import {
  boolean,
  char,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';

const moment = () => timestamp({ withTimezone: true, precision: 3 });
const packName = () =>
  varchar({ length: 64 })
    .notNull()
    .references(() => rulePacks.name, { onDelete: 'cascade' });

export const rulePacks = pgTable('rule_packs', {
  name: varchar({ length: 64 }).primaryKey(),
  enabled: boolean().notNull().default(true),
  /** Where the next version is looked for. */
  url: text(),
  checkedAt: moment(),
  checkError: text(),
});

/** Imports of a pack; their files and reports are objects. */
export const rulePackVersions = pgTable(
  'rule_pack_versions',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    packName: packName(),
    inForce: boolean().notNull(),
    version: varchar({ length: 100 }).notNull(),
    digest: char({ length: 64 }).notNull(),
    source: text().notNull(),
    licence: varchar({ length: 100 }),
    loaded: integer().notNull(),
    rejected: integer().notNull(),
    retired: integer().notNull(),
    warnings: integer().notNull(),
    datedAt: varchar({ length: 10 }).notNull(),
    importedAt: moment().notNull(),
    importedBy: uuid().references(() => accounts.id, { onDelete: 'set null' }),
    filesKey: varchar({ length: 100 }).notNull(),
    reportKey: varchar({ length: 100 }).notNull(),
  },
  (table) => [
    // A pack's version in force, of which there is one.
    uniqueIndex('rule_pack_versions_in_force')
      .on(table.packName)
      .where(sql`${table.inForce}`),
    // Whether a content is there already; the versions of a pack.
    uniqueIndex('rule_pack_versions_content').on(table.packName, table.digest),
  ],
);

/** What was decided about single rules of a pack, whatever its version. */
export const ruleOverrides = pgTable(
  'rule_overrides',
  {
    packName: packName(),
    ruleId: varchar({ length: 100 }).notNull(),
    enabled: boolean().notNull(),
    level: text({ enum: severities }),
  },
  (table) => [primaryKey({ columns: [table.packName, table.ruleId] })],
);

/** Compiled sets of rules, which are objects. */
export const ruleArtifacts = pgTable(
  'rule_artifacts',
  {
    digest: char({ length: 64 }).primaryKey(),
    storageKey: varchar({ length: 100 }).notNull(),
    loaded: integer().notNull(),
    createdAt: moment().notNull(),
  },
  // The sweep.
  (table) => [index('rule_artifacts_by_age').on(table.createdAt)],
);

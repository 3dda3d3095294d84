import type { SchemaState } from '@svc/application/ports/database-state.ts';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { join } from 'node:path';
import { projectRoot } from '../machine/project-root.ts';
import { reasonOf, StatementError } from './errors.ts';

type Queried = Pick<PgDatabase<PgQueryResultHKT>, 'select'>;

/** Where drizzle finds the migrations. */
export const migrationFiles = { migrationsFolder: join(projectRoot(), 'shared/adapters/postgres/migrations') };

/**
 * The table of applied migrations, or its schema, is not there, or not for us yet: a migration has not got to
 * its end, where it lets the service in.
 */
const absent = new Set(['42P01', '3F000', '42501']);

/** Whether every migration of this version is applied; one of a later version may be too. */
export async function migrationState(db: Queried): Promise<'at_head' | 'pending'> {
  return (await lastApplied(db)) >= lastKnown() ? 'at_head' : 'pending';
}

/** How the schema is to this version. */
export async function schemaState(db: Queried): Promise<SchemaState> {
  const known = readMigrationFiles(migrationFiles).map(({ folderMillis }) => folderMillis);
  const last = await lastApplied(db);
  if (last > lastKnown()) return { state: 'later', pending: 0 };
  const pending = known.filter((at) => at > last).length;
  if (pending === 0) return { state: 'at_head', pending };
  if (last > 0) return { state: 'pending', pending };
  const isOwned = sql`pg_tables where schemaname = 'public'`;
  const [tables] = await db.select({ many: sql<number>`count(*)::integer` }).from(isOwned);
  return { state: tables?.many === 0 ? 'fresh' : 'unmanaged', pending };
}

/** Rejects with a sentence where a later version has changed the schema: this one does not know what it must keep. */
export async function refuseLaterSchema(db: Queried): Promise<void> {
  if ((await lastApplied(db)) <= lastKnown()) return;
  throw new Error(
    'The database has the schema of a later version of the service; start that version, or restore the backup from before it',
  );
}

function lastKnown(): number {
  return readMigrationFiles(migrationFiles).at(-1)?.folderMillis ?? 0;
}

/** When the last migration that was applied had been written; 0 where none was. */
async function lastApplied(db: Queried): Promise<number> {
  try {
    const [row] = await db.select({ at: sql<string>`max(created_at)::text` }).from(sql`drizzle.__drizzle_migrations`);
    return Number(row?.at ?? 0);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason instanceof StatementError && absent.has(reason.code ?? '')) return 0;
    throw reason;
  }
}

/** Runs a migrator, all of whose migrations are one transaction; rejects with a sentence for the operator. */
export async function applyMigrations(migrator: () => Promise<void>): Promise<void> {
  try {
    await migrator();
  } catch (error) {
    const reason = reasonOf(error);
    const sentence = reason instanceof Error ? reason.message : String(reason);
    throw new Error(`The database cannot be migrated, and is as it was: ${sentence}`, { cause: error });
  }
}

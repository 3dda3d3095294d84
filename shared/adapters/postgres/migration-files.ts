import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { join } from 'node:path';
import { projectRoot } from '../local/project-root.ts';
import type { Database } from './database.ts';
import { reasonOf, StatementError } from './errors.ts';

/** Where drizzle finds the migrations. */
export const migrationFiles = { migrationsFolder: join(projectRoot(), 'shared/adapters/postgres/migrations') };

/** The table of applied migrations, or its schema, is not there: nothing was applied yet. */
const absent = new Set(['42P01', '3F000']);

/** Whether every migration of this version is applied; one of a later version may be too. */
export async function migrationState(db: Database): Promise<'at_head' | 'pending'> {
  const known = readMigrationFiles(migrationFiles);
  try {
    const applied = await db
      .select({ one: sql`1` })
      .from(sql`drizzle.__drizzle_migrations`)
      .where(sql`created_at >= ${known.at(-1)?.folderMillis}`);
    return applied.length > 0 ? 'at_head' : 'pending';
  } catch (error) {
    const reason = reasonOf(error);
    if (reason instanceof StatementError && absent.has(reason.code ?? '')) return 'pending';
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

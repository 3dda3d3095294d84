import type { SchemaState } from '@svc/application/ports/database-state.ts';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../machine/project-root.ts';
import type { Database } from './database-handle.ts';
import { reasonOf, StatementError } from './errors.ts';
import { rowsOf } from './rows-of.ts';

/** One step of the schema. */
export interface Migration {
  /** Name of its file, without the ending. */
  readonly name: string;
  /** When it was written, by which the database knows it. */
  readonly at: number;
  readonly statements: readonly string[];
  readonly hash: string;
}

const folder = join(projectRoot(), 'shared/adapters/postgres/migrations');
const noted = sql`drizzle.__drizzle_migrations`;

/**
 * The table of applied migrations, or its schema, is not there, or not for us yet: a migration has not got to
 * its end, where it lets the service in.
 */
const absent = new Set(['42P01', '3F000', '42501']);

let known: readonly Migration[] | null = null;

/** All migrations of this version, the first one first. */
export function knownMigrations(): readonly Migration[] {
  known ??= readMigrations();
  return known;
}

function readMigrations(): Migration[] {
  const journal = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as {
    readonly entries: readonly { readonly tag: string }[];
  };
  return readMigrationFiles({ migrationsFolder: folder }).map(({ sql: statements, folderMillis, hash }, index) => ({
    name: journal.entries[index]?.tag ?? String(index),
    at: folderMillis,
    statements,
    hash,
  }));
}

/** Whether every migration of this version is applied; one of a later version may be too. */
export async function migrationState(db: Database): Promise<'at_head' | 'pending'> {
  return (await lastApplied(db)) >= lastKnown() ? 'at_head' : 'pending';
}

/** How the schema is to this version. */
export async function schemaState(db: Database): Promise<SchemaState> {
  const last = await lastApplied(db);
  if (last > lastKnown()) return { state: 'later', pending: 0 };
  const pending = knownMigrations().filter(({ at }) => at > last).length;
  if (pending === 0) return { state: 'at_head', pending };
  if (last > 0) return { state: 'pending', pending };
  const isOwned = sql`pg_tables where schemaname = 'public'`;
  const [tables] = await db.select({ many: sql<number>`count(*)::integer` }).from(isOwned);
  return { state: tables?.many === 0 ? 'fresh' : 'unmanaged', pending };
}

/** Rejects with a sentence where a later version has changed the schema: this one does not know what it must keep. */
export async function refuseLaterSchema(db: Database): Promise<void> {
  if ((await lastApplied(db)) <= lastKnown()) return;
  throw new Error(
    'The database has the schema of a later version of the service; start that version, or restore the backup from before it',
  );
}

function lastKnown(): number {
  return knownMigrations().at(-1)?.at ?? 0;
}

/** When the last migration that was applied had been written; 0 where none was. */
export async function lastApplied(db: Database): Promise<number> {
  try {
    const [row] = await rowsOf<{ at: string | null }>(db, sql`select max(created_at)::text as at from ${noted}`);
    return Number(row?.at ?? 0);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason instanceof StatementError && absent.has(reason.code ?? '')) return 0;
    throw reason;
  }
}

/**
 * Applies what is pending of these migrations, all of it or, when it rejects, nothing: then with a sentence for the
 * operator, which names the one that failed.
 */
export async function applyMigrations(db: Database, migrations = knownMigrations()): Promise<void> {
  let current: Migration | null = null;
  try {
    await db.execute(sql`create schema if not exists drizzle`);
    await db.execute(
      sql`create table if not exists ${noted} (id serial primary key, hash text not null, created_at bigint)`,
    );
    const last = await lastApplied(db);
    await db.transaction(async (tx) => {
      for (const migration of migrations.filter(({ at }) => at > last)) {
        current = migration;
        await applyMigration(tx, migration);
      }
    });
  } catch (error) {
    throw refusal(current, error);
  }
}

/** Applies one to a database that has all before it. */
export async function applyMigration(db: Database, { statements, hash, at }: Migration): Promise<void> {
  for (const statement of statements) await db.execute(sql.raw(statement));
  await db.execute(sql`insert into ${noted} (hash, created_at) values (${hash}, ${at})`);
}

/** Makes the schema anew as it was after the migration of that moment, without any row. */
export async function goBackTo(db: Database, last: number): Promise<void> {
  await db.execute(sql`do $$
    declare one record;
    begin
      for one in select oid::regclass as name from pg_class
        where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace loop
        execute 'drop table if exists ' || one.name || ' cascade';
      end loop;
      for one in select oid::regprocedure as name from pg_proc
        where pronamespace = 'public'::regnamespace
          and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e') loop
        execute 'drop function if exists ' || one.name || ' cascade';
      end loop;
    end $$`);
  await db.execute(sql`delete from ${noted}`);
  for (const migration of knownMigrations().filter(({ at }) => at <= last)) await applyMigration(db, migration);
}

function refusal(migration: Migration | null, error: unknown): Error {
  const reason = reasonOf(error);
  const sentence = reason instanceof Error ? reason.message : String(reason);
  const which = migration === null ? '' : ` at ${migration.name}`;
  return new Error(
    `The database cannot be migrated${which}, and is as it was: ${sentence}. The version that ran before works on it as it is: start that one again, and report this`,
    { cause: error },
  );
}

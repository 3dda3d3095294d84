import { sql } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { EmbeddedDatabase } from '../postgres/database.ts';
import { ServerDatabase, type ServerOptions } from '../postgres/server-database.ts';
import { databaseDump } from './database-template.ts';
import { silentLog } from './silent-log.ts';

export type TestDatabase = EmbeddedDatabase | ServerDatabase;

/** A database in memory with all migrations. */
export async function openTestDatabase(): Promise<EmbeddedDatabase> {
  const database = new EmbeddedDatabase(null, await databaseDump());
  await database.open();
  return database;
}

/** Variable with the URL of the server that the tests of a run share (test/support/shared-postgres.ts). */
const sharedServer = 'SVC_TEST_POSTGRES';
const template = 'svc_migrated';
const idle: ServerDatabase[] = [];

/** Makes the database on a server that {@link makeServerDatabase} copies. */
export async function makeTemplate(serverUrl: string): Promise<void> {
  await (await openServerDatabase(await createDatabase(serverUrl, template))).close();
}

/** URL of a new database on the shared server: one with all migrations, or an empty one. */
export async function makeServerDatabase({ isEmpty = false } = {}): Promise<string> {
  const server = process.env[sharedServer];
  if (server === undefined) throw new Error(`${sharedServer} is not set: there is no PostgreSQL`);
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  return createDatabase(server, name, isEmpty ? 'template1' : template);
}

/**
 * An empty database with all migrations for one user at a time: on the shared server, and of the next user's after
 * it, or in memory where there is no server.
 */
export async function borrowDatabase(): Promise<{ database: TestDatabase; giveBack: () => Promise<void> }> {
  if (process.env[sharedServer] === undefined) {
    const database = await openTestDatabase();
    return { database, giveBack: () => database.close() };
  }
  const database = idle.pop() ?? (await openServerDatabase(await makeServerDatabase(), { size: 0 }));
  await emptyTables(database);
  return { database, giveBack: async () => void idle.push(database) };
}

async function createDatabase(serverUrl: string, name: string, from = 'template1'): Promise<string> {
  const client = new Client(serverUrl);
  await client.connect();
  try {
    await client.query(`create database ${name} template ${from}`);
  } finally {
    await client.end();
  }
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
}

/** A server's database with all migrations, as one process uses it. */
export async function openServerDatabase(url: string, over: Partial<ServerOptions> = {}): Promise<ServerDatabase> {
  const pool = { url, directUrl: url, size: 2, overflow: 8, recycleSeconds: 300 };
  const database = new ServerDatabase({ ...pool, autoMigrate: true, ...over }, silentLog);
  await database.open();
  return database;
}

/** Removes all rows, quicker than `truncate`, which makes new files; ids go on. Most tables were never written to. */
export async function emptyTables(database: TestDatabase): Promise<void> {
  await database.orm.execute(
    sql.raw(`do $$
      declare one regclass;
      begin
        perform set_config('session_replication_role', 'replica', true); -- without triggers and references
        for one in
          select oid from pg_class
          where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0
        loop
          execute 'delete from ' || one;
        end loop;
      end $$`),
  );
}

import { sql } from 'drizzle-orm';
import { EmbeddedDatabase } from '../postgres/database.ts';
import { ServerDatabase, type ServerOptions } from '../postgres/server-database.ts';
import { databaseDump } from './database-template.ts';
import { silentLog } from './silent-log.ts';

const tables = [
  'accounts',
  'api_tokens',
  'background_tasks',
  'dropped_objects',
  'uploaded_files',
  'workflows',
  'jobs',
  'job_changes',
  'job_chunks',
  'job_facets',
  'queued_tasks',
  'rule_artifacts',
  'rule_packs',
  'site_settings',
  'upload_slots',
];

export type TestDatabase = EmbeddedDatabase | ServerDatabase;

/** A database in memory with all migrations. */
export async function openTestDatabase(): Promise<EmbeddedDatabase> {
  const database = new EmbeddedDatabase(null, await databaseDump());
  await database.open();
  return database;
}

/** A server's database with all migrations, as one process uses it. */
export async function openServerDatabase(url: string, over: Partial<ServerOptions> = {}): Promise<ServerDatabase> {
  const pool = { url, directUrl: url, size: 2, overflow: 8, recycleSeconds: 300 };
  const database = new ServerDatabase({ ...pool, autoMigrate: true, ...over }, silentLog);
  await database.open();
  return database;
}

/** Removes all rows; ids go on. */
export async function emptyTables(database: TestDatabase): Promise<void> {
  await database.orm.execute(sql.raw(`truncate ${tables.join(', ')} cascade`));
}

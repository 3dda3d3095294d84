import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../local/project-root.ts';
import { EmbeddedDatabase } from '../postgres/database.ts';
import { ServerDatabase, type ServerOptions } from '../postgres/server-database.ts';
import { silentLog } from './silent-log.ts';

const cache = join(projectRoot(), 'node_modules/.cache/svc-threads');
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

/** A database in memory with all migrations, from a dump that the first test of a machine leaves. */
export async function openTestDatabase(): Promise<EmbeddedDatabase> {
  const database = new EmbeddedDatabase(null, await template());
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

async function template(): Promise<Uint8Array<ArrayBuffer>> {
  const path = join(cache, `database-${await versions()}.tar.gz`);
  if (!existsSync(path)) {
    const database = await PGlite.create();
    const dump = await database.dumpDataDir('gzip');
    await database.close();
    await mkdir(cache, { recursive: true });
    const own = `${path}.${process.pid}`;
    await writeFile(own, new Uint8Array(await dump.arrayBuffer()));
    await rename(own, path);
  }
  return new Uint8Array(await readFile(path));
}

/** The dump is PGlite's own and holds no table of ours. */
async function versions(): Promise<string> {
  const manifest = await readFile(join(projectRoot(), 'node_modules/@electric-sql/pglite/package.json'));
  return createHash('sha256').update(manifest).digest('hex').slice(0, 12);
}

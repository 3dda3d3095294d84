import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { drizzle } from 'drizzle-orm/pglite';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../machine/project-root.ts';
import { EmbeddedDatabase } from '../postgres/database.ts';
import { LocalDatabase } from '../postgres/local-database.ts';
import { applyMigrations, knownMigrations } from '../postgres/migration-files.ts';
import * as schema from '../postgres/schema/index.ts';
import { silentLog } from './silent-log.ts';

const cache = join(projectRoot(), 'node_modules/.cache/svc-databases');

/** A dump (tar) of an embedded database with all migrations and no rows, which the first test of a machine makes. */
export async function databaseDump(): Promise<Uint8Array<ArrayBuffer>> {
  const path = await cached('dump.tar', async (to) => {
    const database = await PGlite.create({ extensions: { pg_trgm } });
    await applyMigrations(drizzle({ client: database, schema }));
    await database.query('checkpoint');
    await writeFile(to, new Uint8Array(await (await database.dumpDataDir('none')).arrayBuffer()));
    await database.close();
  });
  return new Uint8Array(await readFile(path));
}

/** Puts such a database into a folder that is not there yet, as a server that ended has left it. */
export async function copyDatabase(folder: string): Promise<void> {
  const path = await cached('folder', async (to) => {
    const database = new EmbeddedDatabase(to);
    await database.open();
    await database.close();
  });
  await cp(path, folder, { recursive: true });
}

/** Puts a database as `npm start` leaves it into a data folder that has none. */
export async function copyServerDatabase(dataDir: string): Promise<void> {
  const path = await cached('server', async (to) => {
    // Not made in the cache under root: the database's account may not reach that.
    const folder = await mkdtemp(join(tmpdir(), 'svc-template-'));
    const database = new LocalDatabase(folder, silentLog);
    await database.open();
    await database.close();
    await removeRuntimeFiles(folder);
    copyAsIs(join(folder, 'postgres'), to);
    await rm(folder, { recursive: true });
  });
  await mkdir(dataDir, { recursive: true });
  copyAsIs(path, join(dataDir, 'postgres'));
}

/** Removes what a server on the data folder needs while it runs, and makes itself. */
export async function removeRuntimeFiles(dataDir: string): Promise<void> {
  const own = join(dataDir, 'postgres');
  for (const name of await readdir(own)) {
    if (name.startsWith('programs-')) await rm(join(own, name), { recursive: true });
  }
  await rm(join(own, 'address.json'));
}

/** With owners and modes, which Node.js does not copy. */
export function copyAsIs(from: string, to: string): void {
  const copied = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (copied.status !== 0) throw new Error(`cp failed: ${copied.stderr}`);
}

/** Path of what is made once for PGlite and the migrations as they are now; what was made for others is removed. */
export async function cached(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const now = version();
  const path = join(cache, now, name);
  if (existsSync(path)) return path;
  await mkdir(join(cache, now), { recursive: true });
  for (const other of await readdir(cache))
    if (other !== now) await rm(join(cache, other), { recursive: true, force: true });
  const own = `${path}.${process.pid}`;
  await make(own);
  // Another process may have been first: of a folder this is an error then.
  await rename(own, path).catch(() => rm(own, { recursive: true }));
  return path;
}

function version(): string {
  const manifest = readFileSync(join(projectRoot(), 'node_modules/@electric-sql/pglite/package.json'));
  const hash = createHash('sha256').update(manifest);
  for (const migration of knownMigrations()) hash.update(migration.hash);
  return hash.digest('hex').slice(0, 12);
}

import type { Log } from '@svc/application/ports/log.ts';
import { sql } from 'drizzle-orm';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyDatabase, type CopiedTable } from '../copy-database.ts';
import { EmbeddedDatabase, type Database } from '../database.ts';
import { ServerDatabase } from '../server-database.ts';
import { urlOf, type ServerAddress } from './address.ts';
import { makeCluster } from './cluster.ts';
import { endLeftOver } from './left-over.ts';
import { OwnServer } from './own-server.ts';
import { keptPrograms, unfinishedPrograms, type Programs } from './programs.ts';

/** Folders of one `DATA_DIR`. */
export interface Places {
  /** Of the server's clusters, one per major version, and its programs. */
  readonly own: string;
  /** Of PGlite. */
  readonly pglite: string;
}

interface Opened {
  readonly orm: Database;
  close(): Promise<void>;
}

/** Left in the folder of PGlite once everything in it was moved. */
const movedMark = 'svc-moved';

/** Major versions that there are clusters of, the newest first. */
export async function clustersIn({ own }: Places): Promise<number[]> {
  const names = await readdir(own).catch(() => []);
  return names
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .toSorted((one, other) => other - one);
}

/** Whether PGlite has anything in its folder. */
export async function hasPglite({ pglite }: Places): Promise<boolean> {
  return (await readdir(pglite).catch(() => [])).length > 0;
}

/** Throws when PGlite's folder is only the old copy of a database that was moved. */
export function refuseMoved({ own, pglite }: Places): void {
  if (!existsSync(join(pglite, movedMark))) return;
  throw new Error(
    `The database was moved from ${pglite} to ${own}, which has none; put that back, from a backup if need be, or go on with what there was before the move: remove the file ${movedMark}`,
  );
}

/**
 * The cluster that these programs run: what is there, else one made of an earlier version's or of PGlite's folder, or
 * an empty one. It is made beside its place and put there whole; what it was made of stays. For the holder of the lock.
 */
export async function clusterFor(
  programs: Programs,
  places: Places,
  address: ServerAddress,
  log: Log,
): Promise<string> {
  const cluster = join(places.own, String(programs.major));
  await removeUnfinished(programs, places);
  const [newest] = await clustersIn(places);
  if (newest !== undefined && newest > programs.major) {
    throw new Error(
      `${join(places.own, String(newest))} is a database of PostgreSQL ${newest}, and the programs here are of ${programs.major}; start the version of the service that made it`,
    );
  }
  if (newest === programs.major) return cluster;
  if (newest === undefined) refuseMoved(places);
  const making = `${cluster}.making-${randomBytes(4).toString('hex')}`;
  await makeCluster(programs, making, address.password);
  if (newest !== undefined) await fill(programs, making, address, log, () => openOlder(newest, places, address, log));
  else if (await hasPglite(places)) await fill(programs, making, address, log, () => openPglite(places));
  await rename(making, cluster);
  await sync(places.own);
  return cluster;
}

/** Removes what interrupted starts have left, and ends a server of theirs that may still write there. */
async function removeUnfinished(programs: Programs, { own }: Places): Promise<void> {
  for (const name of await readdir(own)) {
    const isCluster = /^\d+\.making-/.test(name);
    if (!isCluster && !name.startsWith(unfinishedPrograms)) continue;
    if (isCluster) await endLeftOver(programs, join(own, name));
    await rm(join(own, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }).catch(() => undefined);
  }
}

/** Marks PGlite's folder as moved once there is a cluster, also when an earlier start did not get that far. */
export async function noteMove(places: Places): Promise<void> {
  const mark = join(places.pglite, movedMark);
  if ((await hasPglite(places)) && !existsSync(mark)) await writeFile(mark, '');
}

async function fill(
  programs: Programs,
  making: string,
  address: ServerAddress,
  log: Log,
  openSource: () => Promise<Opened>,
): Promise<void> {
  log.info('the database is moved to a server of its own; this happens once');
  const source = await openSource();
  try {
    const target = await openCluster(programs, making, beside(address, 1), log);
    try {
      const tables = await copyDatabase(source.orm, target.orm);
      await target.orm.execute(sql`analyze`);
      tell(tables, log);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function tell(tables: readonly CopiedTable[], log: Log): void {
  for (const { table, rows } of tables) if (rows > 0) log.info('moved', { table, rows });
  log.info('moved the database; every table was counted on both sides', { tables: tables.length });
}

async function openPglite({ pglite }: Places): Promise<Opened> {
  const database = new EmbeddedDatabase(pglite, null, { isLocked: true });
  await database.open();
  return database;
}

async function openOlder(major: number, places: Places, address: ServerAddress, log: Log): Promise<Opened> {
  const cluster = join(places.own, String(major));
  const programs = await keptPrograms(places.own, major);
  if (programs === null) {
    throw new Error(
      `${cluster} is a database of PostgreSQL ${major}, whose programs are not in ${places.own} any more; put the folder programs-${major}… back, or start the version of the service that made it`,
    );
  }
  return openCluster(programs, cluster, beside(address, 2), log);
}

/** Where nobody looks who waits for the database. */
function beside(address: ServerAddress, ports: number): ServerAddress {
  return { ...address, port: address.port + ports };
}

async function openCluster(programs: Programs, cluster: string, address: ServerAddress, log: Log): Promise<Opened> {
  const server = new OwnServer(programs, cluster, address, log);
  const url = (): string => urlOf(address);
  const database = new ServerDatabase(
    { url, directUrl: url, size: 1, overflow: 1, recycleSeconds: 0, autoMigrate: true },
    log,
  );
  const close = async (): Promise<void> => {
    await database.close();
    await server.stop();
  };
  try {
    await server.start();
    await database.open();
  } catch (error) {
    await close();
    throw error;
  }
  return { orm: database.orm, close };
}

/** Makes names in a folder survive a power cut. */
async function sync(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  await handle.sync();
  await handle.close();
}

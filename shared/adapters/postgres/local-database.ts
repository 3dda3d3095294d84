import {
  changesNothing,
  type DatabaseRole,
  type DatabaseState,
  type SchemaState,
} from '@svc/application/ports/database-state.ts';
import type { Log } from '@svc/application/ports/log.ts';
import { AppError } from '@svc/domain';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { askHolder, lockDirectory } from '../machine/directory-lock.ts';
import { EmbeddedDatabase, type Database } from './database.ts';
import { databaseFolders } from './database-folders.ts';
import { settleAddress, urlIn } from './own/address.ts';
import { clusterFor, clustersIn, hasPglite, noteMove, refuseMoved, type Places } from './own/clusters.ts';
import { OwnServer } from './own/own-server.ts';
import { CannotRun, installedPrograms, makePassable } from './own/programs.ts';
import { ServerDatabase } from './server-database.ts';
import type { TaskBell } from './work/task-queue.ts';

/** Asked of the process that has PGlite. */
const copyRequest = 'copy the database';
const copySuffix = '.copy-';
/** No reading of a copy takes longer. */
const abandonedMs = 86_400_000;
/** Connections of a process to the server of its machine. */
const pool = { size: 2, overflow: 8, recycleSeconds: 300, autoMigrate: true };

/**
 * The database in `DATA_DIR`: a PostgreSQL server that the process which serves starts, looks after and stops, and
 * that workers and commands of the same machine share; PGlite, for one process alone, where its programs cannot run.
 */
export class LocalDatabase implements DatabaseState {
  /** The database that `open` has chosen; not to be used before. */
  readonly orm: Database = later(() => this.#chosen.orm);
  readonly bell: TaskBell = {
    ring: async () => this.#chosen.bell?.ring(),
    listen: (wake) => this.#chosen.bell?.listen(wake),
  };
  readonly #dataDir: string;
  readonly #places: Places;
  readonly #log: Log;
  #opening: Promise<void> | null = null;
  #opened: ServerDatabase | EmbeddedDatabase | null = null;
  #server: OwnServer | null = null;
  #lock: { release(): Promise<void> } | null = null;
  /** A copy of PGlite's folder that goes with us. */
  #copy: string | null = null;

  constructor(dataDir: string, log: Log) {
    this.#dataDir = dataDir;
    const [own, pglite] = databaseFolders(dataDir);
    this.#places = { own, pglite };
    this.#log = log;
  }

  open(role: DatabaseRole = 'serve'): Promise<void> {
    this.#opening ??= this.#open(role);
    return this.#opening;
  }

  async exists(): Promise<boolean> {
    return (await clustersIn(this.#places)).length > 0 || (await hasPglite(this.#places));
  }

  async check(): Promise<void> {
    await this.#chosen.check();
  }

  async migrations(): Promise<'at_head' | 'pending'> {
    return this.#chosen.migrations();
  }

  async schema(): Promise<SchemaState> {
    if (this.#opened === null && !(await this.exists())) return { state: 'fresh', pending: 0 };
    return this.#chosen.schema();
  }

  /** Done by opening. */
  migrate(): Promise<void> {
    return this.open('visit');
  }

  async close(): Promise<void> {
    await this.#opened?.close();
    await this.#server?.stop();
    if (this.#copy !== null) await rm(this.#copy, { recursive: true, force: true });
    await this.#lock?.release();
  }

  get #chosen(): ServerDatabase | EmbeddedDatabase {
    if (this.#opened === null) throw new AppError('unavailable', 'The database is not open yet; try again shortly');
    return this.#opened;
  }

  async #open(role: DatabaseRole): Promise<void> {
    if (role === 'work') return this.#join(role);
    const isNew = (await mkdir(this.#dataDir, { recursive: true })) !== undefined;
    if (isNew) await chmod(this.#dataDir, 0o700);
    try {
      this.#lock = await lockDirectory(this.#lockPath, { answering: (line) => this.#answer(line) });
    } catch (error) {
      if (role === 'serve') throw error;
      if (await this.#isServed()) return this.#join(role);
      if (role === 'copy' && (await this.#openCopy())) return;
      throw error;
    }
    await this.#removeCopies();
    const onlyLooks = changesNothing(role);
    // Else it would be moved to a server, as the next start does.
    if (onlyLooks && (await clustersIn(this.#places)).length === 0) return this.#openPglite(null);
    try {
      await this.#startServer(role);
    } catch (error) {
      if (!(error instanceof CannotRun)) throw error;
      await this.#openPglite(onlyLooks ? null : error.message);
    }
  }

  get #lockPath(): string {
    return `${this.#places.pglite}.lock`;
  }

  /** Copies PGlite's folder for another process of this machine, and answers with where to. */
  async #answer(line: string): Promise<string> {
    if (line !== copyRequest || !(this.#opened instanceof EmbeddedDatabase)) throw new Error('this cannot be asked');
    const copy = `${this.#places.pglite}${copySuffix}${randomBytes(4).toString('hex')}`;
    try {
      await this.#opened.copy(copy);
    } catch (error) {
      await rm(copy, { recursive: true, force: true });
      throw error;
    }
    return basename(copy);
  }

  /** Opens a copy that the process which has PGlite makes; false where that cannot be asked. */
  async #openCopy(): Promise<boolean> {
    const name = await askHolder(this.#lockPath, copyRequest);
    if (name === null) return false;
    // By its name alone: the folder may have another path there, in a container.
    const copy = join(dirname(this.#places.pglite), basename(name));
    this.#copy = copy;
    this.#opened = new EmbeddedDatabase(copy, null, { isLocked: true, onlyLooks: true });
    await this.#opened.open();
    return true;
  }

  /** Of PGlite’s folder, which whoever asked for them has not removed: it was killed. */
  async #removeCopies(): Promise<void> {
    for (const name of await readdir(this.#dataDir)) {
      if (!name.startsWith(`${basename(this.#places.pglite)}${copySuffix}`)) continue;
      const path = join(this.#dataDir, name);
      const { mtimeMs } = await stat(path);
      if (Date.now() - mtimeMs > abandonedMs) await rm(path, { recursive: true, force: true });
    }
  }

  async #startServer(role: DatabaseRole): Promise<void> {
    const { own } = this.#places;
    const programs = await this.#programs();
    const address = await settleAddress(own, programs.identity);
    const cluster = await clusterFor(programs, this.#places, address, this.#log);
    this.#server = new OwnServer(programs, cluster, address, this.#log);
    await this.#server.start();
    await noteMove(this.#places);
    await this.#connect(role);
  }

  /** Waits for the process that serves, and for its server. */
  async #join(role: DatabaseRole): Promise<void> {
    try {
      await this.#programs();
    } catch (error) {
      if (!(error instanceof CannotRun)) throw error;
      throw new Error(`A worker of its own needs DATABASE_URL here: ${error.message}, and PGlite serves one process`, {
        cause: error,
      });
    }
    await this.#connect(role);
  }

  async #programs(): ReturnType<typeof installedPrograms> {
    const { own } = this.#places;
    await makePassable(this.#dataDir);
    await makePassable(own);
    return installedPrograms(own);
  }

  async #connect(role: DatabaseRole): Promise<void> {
    this.#opened = this.#remote();
    await this.#opened.open(role);
  }

  #remote(): ServerDatabase {
    const url = (): string => urlIn(this.#places.own);
    return new ServerDatabase({ ...pool, url, directUrl: url }, this.#log);
  }

  /** Whether another process has started the server. */
  async #isServed(): Promise<boolean> {
    const remote = this.#remote();
    const isThere = await remote.check().then(
      () => true,
      () => false,
    );
    await remote.close();
    return isThere;
  }

  /** @param reason - why it is not a server; null where it is only looked at */
  async #openPglite(reason: string | null): Promise<void> {
    const [cluster] = await clustersIn(this.#places);
    if (cluster !== undefined) {
      throw new Error(
        `${join(this.#places.own, String(cluster))} has the database, and cannot be opened: ${reason ?? 'its programs cannot run here'}`,
      );
    }
    refuseMoved(this.#places);
    if (reason !== null) {
      this.#log.warn('the embedded database is PGlite, which a power cut may rob of its last changes', { reason });
    }
    this.#opened = new EmbeddedDatabase(this.#places.pglite, null, { isLocked: true, onlyLooks: reason === null });
    await this.#opened.open();
  }
}

/** Stands for an object that is there later. */
function later<T extends object>(get: () => T): T {
  return new Proxy({} as T, {
    get: (_, name) => {
      const target = get();
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

import type { DatabaseState, SchemaState } from '@svc/application/ports/database-state.ts';
import type { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { lockDirectory } from '../machine/directory-lock.ts';
import { applyMigrations, migrationState, refuseLaterSchema, schemaState } from './migration-files.ts';
import { keepUp } from './embedded-upkeep.ts';
import { PgliteClient } from './pglite-client.ts';
import type { Database } from './database-handle.ts';
import * as schema from './schema/index.ts';

export type { Database } from './database-handle.ts';

/** PGlite on a folder, in a thread, used by this process alone. */
export class EmbeddedDatabase implements DatabaseState {
  readonly orm: Database;
  readonly bell = null;
  readonly #client: PgliteClient;
  readonly #folder: string | null;
  readonly #isLocked: boolean;
  readonly #onlyLooks: boolean;
  #opening: Promise<void> | null = null;
  #lock: { release(): Promise<void> } | null = null;
  #upkeep: { stop(): Promise<void> } | null = null;

  /**
   * `folder: null` keeps the database in memory.
   * @param options.isLocked - the caller holds the lock of the folder
   * @param options.onlyLooks - leave the schema as it is
   */
  constructor(
    folder: string | null,
    template: Uint8Array<ArrayBuffer> | null = null,
    { isLocked = false, onlyLooks = false } = {},
  ) {
    this.#folder = folder;
    this.#isLocked = isLocked;
    this.#onlyLooks = onlyLooks;
    this.#client = new PgliteClient({ dataDir: folder, template });
    // The client has the part of PGlite's interface that drizzle uses: query and transaction.
    this.orm = drizzle({ client: this.#client as unknown as PGlite, schema, casing: 'snake_case' });
  }

  open(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async exists(): Promise<boolean> {
    return this.#folder === null || existsSync(completeMark(this.#folder));
  }

  async check(): Promise<void> {
    await this.#client.query('select 1');
  }

  migrations(): Promise<'at_head' | 'pending'> {
    return migrationState(this.orm);
  }

  schema(): Promise<SchemaState> {
    return schemaState(this.orm);
  }

  /** Done by opening: nobody else can have the folder. */
  migrate(): Promise<void> {
    return this.open();
  }

  /** Copies its folder, as it is between two statements; everybody waits meanwhile. */
  copy(to: string): Promise<void> {
    return this.#client.copy(to);
  }

  async close(): Promise<void> {
    await this.#upkeep?.stop();
    await this.#client.close();
    await this.#lock?.release();
  }

  async #open(): Promise<void> {
    if (this.#folder !== null) await this.#prepare(this.#folder);
    await this.#client.start();
    if (this.#onlyLooks) return;
    await applyMigrations(this.orm);
    await refuseLaterSchema(this.orm);
    // Nobody else clears indexes and keeps the planner's statistics: there is no autovacuum in one process.
    if (this.#folder !== null) await this.#client.query('vacuum analyze');
    this.#upkeep = keepUp(this.#client);
  }

  /** Locks the folder, and makes a database where there is none. */
  async #prepare(folder: string): Promise<void> {
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
    if (!this.#isLocked) this.#lock = await lockDirectory(`${folder}.lock`);
    if (existsSync(completeMark(folder))) return;
    const found = await readdir(folder).catch(() => []);
    if (found.length > 0) throw new Error(unmarked(folder));
    await make(folder);
  }
}

/** Makes it beside its place and puts it there whole, so that a start which is broken off leaves no half of one. */
async function make(folder: string): Promise<void> {
  const unfinished = `${folder}.making`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  // Making a database takes half a gigabyte, which only the end of its thread gives back.
  const maker = new PgliteClient({ dataDir: unfinished, template: null });
  await maker.start();
  await maker.close();
  await writeFile(completeMark(unfinished), '');
  await rmdir(folder).catch(() => undefined);
  await rename(unfinished, folder);
}

/** Versions before this one made the database in place, and marked it last. */
function unmarked(folder: string): string {
  return `${folder} has files in it, but not ${basename(completeMark(folder))}, the mark of a whole database. If the service has run on it before, put that file back, empty; if its very first start was broken off, move the folder away`;
}

function completeMark(folder: string): string {
  return join(folder, 'svc-complete');
}

import type { DatabaseState } from '@svc/application/ports/database-state.ts';
import type { PGlite } from '@electric-sql/pglite';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockDirectory } from '../local/directory-lock.ts';
import { applyMigrations, migrationFiles, migrationState } from './migration-files.ts';
import { PgliteClient } from './pglite-client.ts';
import * as schema from './schema/index.ts';

/** What repositories are written over: any PostgreSQL, or a transaction on it. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

/** PGlite on a folder, in a thread, used by this process alone. */
export class EmbeddedDatabase implements DatabaseState {
  readonly orm: Database;
  readonly bell = null;
  readonly #client: PgliteClient;
  readonly #folder: string | null;
  readonly #migrate: () => Promise<void>;
  #opening: Promise<void> | null = null;
  #lock: { release(): Promise<void> } | null = null;

  /** `folder: null` keeps the database in memory. */
  constructor(folder: string | null, template: Uint8Array<ArrayBuffer> | null = null) {
    this.#folder = folder;
    this.#client = new PgliteClient({ dataDir: folder, template });
    // The client has the part of PGlite's interface that drizzle uses: query and transaction.
    const orm = drizzle({ client: this.#client as unknown as PGlite, schema, casing: 'snake_case' });
    this.orm = orm;
    this.#migrate = () => applyMigrations(() => migrate(orm, migrationFiles));
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

  /** Done by opening: nobody else can have the folder. */
  migrate(): Promise<void> {
    return this.open();
  }

  async close(): Promise<void> {
    await this.#client.close();
    await this.#lock?.release();
  }

  async #open(): Promise<void> {
    if (this.#folder !== null && (await this.#isNew(this.#folder))) {
      // Making a database takes half a gigabyte, which only the end of its thread gives back.
      const maker = new PgliteClient({ dataDir: this.#folder, template: null });
      await maker.start();
      await maker.close();
    }
    await this.#client.start();
    await this.#migrate();
    if (this.#folder !== null) {
      await writeFile(completeMark(this.#folder), '');
      // Nobody else keeps the planner's statistics: there is no autovacuum in one process.
      await this.#client.query('analyze');
    }
  }

  /** Locks the folder; true when there is no database in it yet. */
  async #isNew(folder: string): Promise<boolean> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    this.#lock = await lockDirectory(`${folder}.lock`);
    // A first start that was interrupted leaves half a database, which PostgreSQL cannot open.
    if (existsSync(completeMark(folder))) return false;
    if ((await readdir(folder)).length > 0) {
      await rename(folder, `${folder}.incomplete-${Date.now()}`);
      await mkdir(folder, { mode: 0o700 });
    }
    return true;
  }
}

function completeMark(folder: string): string {
  return join(folder, 'svc-complete');
}

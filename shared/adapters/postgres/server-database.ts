import {
  changesNothing,
  type DatabaseRole,
  type DatabaseState,
  type SchemaState,
} from '@svc/application/ports/database-state.ts';
import type { Log } from '@svc/application/ports/log.ts';
import { AppError } from '@svc/domain';
import { drizzle } from 'drizzle-orm/node-postgres';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Pool } from 'pg';
import type { Database } from './database.ts';
import { serverFailure, StatementError } from './errors.ts';
import { applyMigrations, migrationState, refuseLaterSchema, schemaState } from './migration-files.ts';
import * as schema from './schema/index.ts';
import { ServerListener } from './server-listener.ts';
import { connectionTo, ServerPool, type PoolOptions, type ServerUrl } from './server-pool.ts';
import { grantRows, type ServiceRole } from './service-role.ts';
import type { TaskBell } from './work/task-queue.ts';

export interface ServerOptions extends PoolOptions {
  /** URL for what a pooler in between would break: migrations and notifications. */
  readonly directUrl: ServerUrl;
  readonly autoMigrate: boolean;
  /** Whom a migration by `directUrl` lets use the tables. @default nobody, as one role does both */
  readonly serviceRole?: ServiceRole | null;
  /** Whether to start on the schema of a later version. @default false */
  readonly servesLater?: boolean;
  /** Longest wait for another process that migrates (resolved-platform 15.5). @default 600 */
  readonly migrationLockSeconds?: number;
}

/** Advisory lock of migrations; any number that nobody else would take. */
const migrationLock = 7_346_189_502;
const taskChannel = 'svc_tasks';
const retryMs = 1000;

/** A PostgreSQL server, shared with other processes. */
export class ServerDatabase implements DatabaseState {
  readonly orm: Database;
  /** Tells workers of all processes about new tasks. */
  readonly bell: TaskBell;
  readonly #options: ServerOptions;
  readonly #log: Log;
  readonly #pool: ServerPool;
  readonly #listener: ServerListener;
  readonly #closing = new AbortController();
  #opening: Promise<void> | null = null;

  constructor(options: ServerOptions, log: Log) {
    this.#options = options;
    this.#log = log;
    const pool = new ServerPool(options);
    // The pool has the part of pg's interface that drizzle uses: query and connect.
    this.orm = drizzle({ client: pool as unknown as Pool, schema, casing: 'snake_case' });
    this.#pool = pool;
    const listener = new ServerListener(() => connectionTo(options.directUrl, options.passwords), taskChannel);
    this.#listener = listener;
    this.bell = {
      ring: async () => void (await pool.query({ text: 'select pg_notify($1, $2)' }, [taskChannel, ''])),
      listen: (wake) => listener.listen(wake),
    };
  }

  open(role: DatabaseRole = 'serve'): Promise<void> {
    this.#opening ??= changesNothing(role) ? this.check() : this.#open();
    return this.#opening;
  }

  /** Whether anything was ever migrated to it. */
  async exists(): Promise<boolean> {
    const { rows } = await this.#pool.query({
      text: "select exists(select from pg_tables where schemaname = 'drizzle' and tablename = '__drizzle_migrations') as it",
    });
    return (rows as { it: boolean }[])[0]?.it ?? false;
  }

  async check(): Promise<void> {
    await this.#pool.query({ text: 'select 1' });
  }

  migrations(): Promise<'at_head' | 'pending'> {
    return migrationState(this.orm);
  }

  schema(): Promise<SchemaState> {
    return schemaState(this.orm);
  }

  async migrate(): Promise<void> {
    const { serviceRole = null } = this.#options;
    if (serviceRole === null && (await this.migrations()) === 'at_head') return;
    const client = new Client(connectionTo(this.#options.directUrl, this.#options.passwords));
    client.on('error', () => undefined);
    try {
      await client.connect().catch(rethrowFailure);
      await this.#lockMigrations(client);
      await applyMigrations(drizzle({ client, schema, casing: 'snake_case' }));
      if (serviceRole !== null) await grantRows(client, serviceRole);
    } finally {
      // The lock ends with its session.
      await client.end();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#listener.close();
    await this.#pool.end();
  }

  async #open(): Promise<void> {
    await this.#until(async () => {
      await this.check();
      return null;
    });
    if (this.#options.autoMigrate) await this.migrate();
    await this.#until(async () => {
      const isBehind = (await this.migrations()) === 'pending';
      return isBehind ? 'it is not up to date and AUTO_MIGRATE is false: use npm run migrate' : null;
    });
    if (!this.#options.servesLater) await refuseLaterSchema(this.orm);
  }

  /** Asks again and again what there is to wait for, and tells each new answer. */
  async #until(look: () => Promise<string | null>): Promise<void> {
    let told: string | null = null;
    for (;;) {
      const reason = await look().catch(reasonToWait);
      if (reason === null) return;
      if (this.#closing.signal.aborted) throw new AppError('unavailable', 'The database is closed');
      if (reason !== told) this.#log.warn('waiting for the database', { reason });
      told = reason;
      await sleep(retryMs);
    }
  }

  async #lockMigrations(client: Client): Promise<void> {
    const seconds = this.#options.migrationLockSeconds ?? 600;
    try {
      await client.query(`set lock_timeout = '${seconds}s'`);
      await client.query('select pg_advisory_lock($1)', [migrationLock]);
    } catch (error) {
      const failure = serverFailure(error);
      if (!(failure instanceof StatementError)) throw failure;
      throw new Error(
        `Another process has been migrating this database for ${seconds} s; look after it and start again`,
        { cause: error },
      );
    }
  }
}

/** Rejects with a sentence when the server does answer, and will not have us. */
function reasonToWait(error: unknown): string {
  if (error instanceof AppError) {
    const { message, code } = (error.cause ?? error) as Error & { code?: string };
    return message || (code ?? error.message);
  }
  const reason = error instanceof Error ? error.message : String(error);
  throw new Error(`The database refuses the connection: ${reason}; correct DATABASE_URL`, { cause: error });
}

function rethrowFailure(error: unknown): never {
  throw serverFailure(error);
}

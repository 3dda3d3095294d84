import { AppError } from '@svc/domain';
import { AskedThread, ThreadFailure } from '../machine/asked-thread.ts';
import type { DatabaseThread, DatabaseThreadData, QueryResult } from './database-thread.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { constants } from 'node:fs';
import { cp } from 'node:fs/promises';
import { embeddedFailure } from './errors.ts';

/** The part of PGlite's interface that drizzle drives. */
export interface QueryClient {
  query(sql: string, params?: unknown[], options?: { rowMode?: 'array' | 'object' }): Promise<QueryResult>;
}

/**
 * PGlite in a thread of its own, seen from the main thread. The database has one connection, so
 * statements and whole transactions take turns here.
 */
export class PgliteClient implements QueryClient {
  readonly #data: DatabaseThreadData;
  #thread: AskedThread<DatabaseThread> | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  /** The transaction that a call comes from. */
  readonly #within = new AsyncLocalStorage<{ isOpen: boolean }>();

  constructor(data: DatabaseThreadData) {
    this.#data = data;
  }

  /** Starts the thread and waits until the database answers. */
  async start(): Promise<void> {
    this.#thread = await AskedThread.start<DatabaseThread>('database-thread', { data: this.#data });
    await this.#send('select 1');
  }

  query(sql: string, params: unknown[] = [], options: { rowMode?: 'array' | 'object' } = {}): Promise<QueryResult> {
    return this.#exclusively(() => this.#send(sql, params, options.rowMode));
  }

  /** Runs `work` between BEGIN and COMMIT; it must use the client that it is given, and no other. */
  transaction<T>(work: (client: QueryClient) => Promise<T>): Promise<T> {
    return this.#exclusively(async () => {
      const own = { isOpen: true };
      await this.#send('begin');
      try {
        const client: QueryClient = { query: (sql, params, options) => this.#send(sql, params, options?.rowMode) };
        const result = await this.#within.run(own, () => work(client));
        await this.#send('commit');
        return result;
      } catch (error) {
        await this.#send('rollback');
        throw error;
      } finally {
        own.isOpen = false;
      }
    });
  }

  /** Copies the folder of the database while nothing changes it; `to` must not be there. */
  copy(to: string): Promise<void> {
    const { dataDir } = this.#data;
    if (dataDir === null) return Promise.reject(new Error('a database in memory has no folder'));
    return this.#exclusively(async () => {
      await this.#send('checkpoint');
      await cp(dataDir, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
    });
  }

  /** Lets the current statement or transaction finish, then closes the database. */
  async close(): Promise<void> {
    const thread = this.#thread;
    if (!thread || thread.hasEnded) return;
    await this.#exclusively(async () => {
      await this.#answered(thread.ask('close'));
      await thread.end();
    });
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    if (this.#within.getStore()?.isOpen === true) {
      return Promise.reject(
        new Error('a transaction must use the client that it was given: this one would wait for its end'),
      );
    }
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #send(sql: string, params: unknown[] = [], rowMode: 'array' | 'object' = 'object'): Promise<QueryResult> {
    const thread = this.#thread;
    if (!thread || thread.hasEnded) throw new AppError('unavailable', 'The database is not open');
    return this.#answered(thread.ask('query', sql, params, rowMode));
  }

  async #answered<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof ThreadFailure) throw embeddedFailure(error.told);
      throw new AppError('unavailable', 'The database has stopped', { cause: error });
    }
  }
}

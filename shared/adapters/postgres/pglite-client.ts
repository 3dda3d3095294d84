import { AppError } from '@svc/domain';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { threadEntry } from '../local/thread-entry.ts';
import { embeddedFailure } from './errors.ts';

export interface DatabaseThreadData {
  /** Folder of the database; null keeps it in memory. */
  readonly dataDir: string | null;
  /** A dump to begin with (tar.gz). */
  readonly template: Uint8Array<ArrayBuffer> | null;
}

export type DatabaseRequest =
  | { readonly id: number; readonly sql: string; readonly params: unknown[]; readonly rowMode: 'array' | 'object' }
  | { readonly id: number; readonly close: true };

export type DatabaseReply =
  | { readonly id: number; readonly rows: unknown[]; readonly affectedRows: number }
  | {
      readonly id: number;
      readonly error: { readonly message: string; readonly code: string | null; readonly constraint: string | null };
    };

interface QueryResult {
  readonly rows: unknown[];
  readonly affectedRows: number;
}

/** The part of PGlite's interface that drizzle drives. */
export interface QueryClient {
  query(sql: string, params?: unknown[], options?: { rowMode?: 'array' | 'object' }): Promise<QueryResult>;
}

interface Waiting {
  resolve(result: QueryResult): void;
  reject(error: Error): void;
}

/**
 * PGlite in a thread of its own, seen from the main thread. The database has one connection, so
 * statements and whole transactions take turns here.
 */
export class PgliteClient implements QueryClient {
  readonly #data: DatabaseThreadData;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #ended: Error | null = null;
  #lastId = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(data: DatabaseThreadData) {
    this.#data = data;
  }

  /** Starts the thread and waits until the database answers. */
  async start(): Promise<void> {
    const worker = new Worker(await threadEntry('database-thread'), { workerData: this.#data });
    const ready = new Promise<QueryResult>((resolve, reject) => this.#waiting.set(0, { resolve, reject }));
    worker.on('message', (reply: DatabaseReply) => this.#receive(reply));
    worker.on('error', (error) => this.#end(error));
    worker.on('exit', () => this.#end(new Error('its thread ended')));
    this.#worker = worker;
    await ready;
  }

  query(sql: string, params: unknown[] = [], options: { rowMode?: 'array' | 'object' } = {}): Promise<QueryResult> {
    return this.#exclusively(() => this.#send(sql, params, options.rowMode));
  }

  /** Runs `work` between BEGIN and COMMIT; it must use the client that it is given, and no other. */
  transaction<T>(work: (client: QueryClient) => Promise<T>): Promise<T> {
    return this.#exclusively(async () => {
      await this.#send('begin');
      try {
        const result = await work({ query: (sql, params, options) => this.#send(sql, params, options?.rowMode) });
        await this.#send('commit');
        return result;
      } catch (error) {
        await this.#send('rollback');
        throw error;
      }
    });
  }

  /** Lets the current statement or transaction finish, then closes the database. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker || this.#ended) return;
    await this.#exclusively(async () => {
      const exit = once(worker, 'exit');
      await this.#post((id) => ({ id, close: true }));
      await exit;
    });
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  #send(sql: string, params: unknown[] = [], rowMode: 'array' | 'object' = 'object'): Promise<QueryResult> {
    return this.#post((id) => ({ id, sql, params, rowMode }));
  }

  #post(request: (id: number) => DatabaseRequest): Promise<QueryResult> {
    const worker = this.#worker;
    if (!worker || this.#ended) {
      return Promise.reject(new AppError('unavailable', 'The database is not open', { cause: this.#ended }));
    }
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads of Node.js have no origin
      worker.postMessage(request(id));
    });
  }

  #receive(reply: DatabaseReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('error' in reply) waiting?.reject(embeddedFailure(reply.error));
    else waiting?.resolve(reply);
  }

  #end(cause: Error): void {
    this.#ended ??= cause;
    const stopped = new AppError('unavailable', 'The database has stopped', { cause });
    for (const waiting of this.#waiting.values()) waiting.reject(stopped);
    this.#waiting.clear();
  }
}

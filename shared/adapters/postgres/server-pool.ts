import { AppError } from '@svc/domain';
import { Client, Pool, type ClientConfig, type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { isBroken, serverFailure } from './errors.ts';

/** Makes the password of one connection. */
export type PasswordSource = (target: Pick<ClientConfig, 'host' | 'port' | 'user'>) => Promise<string>;

/** URL of a server; a function where it may listen elsewhere after it was started again. */
export type ServerUrl = string | (() => string);

export interface PoolOptions {
  readonly url: ServerUrl;
  /** Passwords for URLs without one. */
  readonly passwords?: PasswordSource | undefined;
  /** Connections kept. */
  readonly size: number;
  /** Connections beyond them. */
  readonly overflow: number;
  /** Age at which a connection is replaced; 0 for none. */
  readonly recycleSeconds: number;
}

/** Longest wait for a new connection, or for a free one. */
const connectMs = 10_000;

/** How to connect: the URL's `sslmode` means what it does to libpq. `passwords` are for URLs without one. */
export function connectionTo(url: ServerUrl, passwords?: PasswordSource): ClientConfig {
  const target = new URL(typeof url === 'function' ? url() : url);
  if (target.searchParams.has('sslmode')) target.searchParams.set('uselibpqcompat', 'true');
  const config = parseIntoClientConfig(target.href);
  return {
    ...config,
    ...(passwords && target.password === '' && { password: () => passwords(config) }),
    application_name: 'svc',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
}

/** A client that goes to where the server is when it connects. */
function clientOf(url: () => string): typeof Client {
  return class extends Client {
    constructor(config?: string | ClientConfig) {
      super({ ...(config as ClientConfig), ...connectionTo(url) });
    }
  };
}

/**
 * Connections to a PostgreSQL server as drizzle drives them, which knows a pool by its class's name. All
 * failures come out as {@link serverFailure} has them, and a lost connection never ends the process.
 */
export class ServerPool {
  readonly #pool: Pool;

  constructor({ url, passwords, size, overflow, recycleSeconds }: PoolOptions) {
    const pool = new Pool({
      ...connectionTo(url, passwords),
      ...(typeof url === 'function' && { Client: clientOf(url) }),
      min: size,
      max: size + overflow,
      maxLifetimeSeconds: recycleSeconds,
    });
    // Idle connections end with the server; the pool has let go of them by now.
    pool.on('error', () => undefined);
    // One that is in use tells whoever uses it, too.
    pool.on('connect', (client) => client.on('error', () => undefined));
    this.#pool = pool;
  }

  async query(query: QueryConfig, values?: unknown[]): Promise<QueryResult> {
    try {
      return await this.#pool.query(query, values);
    } catch (error) {
      throw serverFailure(error);
    }
  }

  /** A connection for one transaction; must be released. */
  async connect(): Promise<ServerConnection> {
    try {
      return new ServerConnection(await this.#pool.connect());
    } catch (error) {
      throw serverFailure(error);
    }
  }

  /** Waits for transactions that are under way. */
  end(): Promise<void> {
    return this.#pool.end();
  }
}

/**
 * A connection out of the pool. One that broke goes back at once, to be closed, since drizzle would not release
 * it when not even its `begin` got through; what is still asked of it fails for the same reason.
 */
class ServerConnection {
  readonly #client: PoolClient;
  #isReleased = false;
  #failure: Error | null = null;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  async query(query: QueryConfig, values?: unknown[]): Promise<QueryResult> {
    if (this.#failure) throw this.#failure;
    try {
      return await this.#client.query(query, values);
    } catch (error) {
      const failure = serverFailure(error);
      if (failure instanceof AppError && isBroken(error)) {
        this.#failure = failure;
        this.release();
      }
      throw failure;
    }
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#client.release(this.#failure ?? undefined);
  }
}

import type { KeyValueState } from '@svc/application/ports/key-value-state.ts';
import type { Log } from '@svc/application/ports/log.ts';
import { Redis } from 'ioredis';

/** Of one command; a server that is well answers within a millisecond. */
const answerMs = 1000;
const pulseMs = 2000;
const slowestRetryMs = 1000;

/**
 * One connection to the key-value store, for everything that a process asks of it. Nothing waits for
 * a store that is away: commands fail at once until it is back, which it tells the log once each.
 */
export class RedisConnection implements KeyValueState {
  readonly client: Redis;
  /** Settles with the first attempt to connect, however it ends: what is asked before would find no store. */
  readonly tried: Promise<void>;
  readonly #log: Log;
  readonly #pulse: NodeJS.Timeout;
  #away = false;
  #closed = false;

  constructor(url: string, log: Log) {
    this.#log = log;
    this.client = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: answerMs,
      commandTimeout: answerMs,
      disconnectTimeout: answerMs,
      retryStrategy: (times) => Math.min(times * 50, slowestRetryMs),
    });
    this.tried = new Promise((resolve) => {
      this.client.once('ready', resolve).once('close', resolve);
    });
    this.client.on('error', (error) => this.#lost(error));
    this.client.on('close', () => this.#lost());
    this.client.on('ready', () => this.#found());
    // A store that hangs, or that a firewall forgot, does not close its connection.
    this.#pulse = setInterval(() => void this.#feel(), pulseMs).unref();
  }

  async check(): Promise<void> {
    await this.tried;
    await this.client.ping();
  }

  /** From its report, which services that forbid CONFIG give, too. */
  async evictionPolicy(): Promise<string | null> {
    await this.tried;
    const report = await this.client.info('memory');
    return /^maxmemory_policy:(\S+)/m.exec(report)?.[1] ?? null;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#pulse);
    this.client.disconnect();
  }

  async #feel(): Promise<void> {
    if (this.client.status !== 'ready') return;
    const askedAt = Date.now();
    await this.check().catch(() => {
      // A process that stood still, as functions do between two events, has missed the answer by itself.
      if (Date.now() - askedAt < 2 * answerMs) this.client.disconnect(true);
    });
  }

  #lost(error?: Error): void {
    if (this.#away || this.#closed) return;
    this.#away = true;
    this.#log.warn('the key-value store is away: each process limits for itself, uploads are refused', { error });
  }

  #found(): void {
    if (this.#away) this.#log.info('the key-value store is back');
    this.#away = false;
  }
}

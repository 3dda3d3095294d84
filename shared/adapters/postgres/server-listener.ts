import { Client, type ClientConfig } from 'pg';

const reconnectMs = 2000;

/** Hears the notifications of a channel, on a connection of its own that it makes anew when it is lost. */
export class ServerListener {
  readonly #connection: () => ClientConfig;
  readonly #channel: string;
  readonly #hearers = new Set<() => void>();
  #client: Client | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(connection: () => ClientConfig, channel: string) {
    this.#connection = connection;
    this.#channel = channel;
  }

  /** Connects with the first hearer. A hearer is also called when notifications may have been missed. */
  listen(hear: () => void): void {
    this.#hearers.add(hear);
    if (this.#hearers.size === 1) void this.#connect();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#client?.end();
  }

  async #connect(): Promise<void> {
    const client = new Client(this.#connection());
    this.#client = client;
    client.on('error', () => undefined);
    client.on('notification', () => this.#tell());
    client.once('end', () => this.#reconnect());
    try {
      await client.connect();
      await client.query(`listen ${this.#channel}`);
      this.#tell();
    } catch {
      await client.end().catch(() => undefined);
      this.#reconnect();
    }
  }

  #reconnect(): void {
    if (this.#isClosed || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#connect();
    }, reconnectMs);
  }

  #tell(): void {
    for (const hear of this.#hearers) hear();
  }
}

import type { Network, OfflineLookups } from '@svc/application/intel/enrichment/offline-lookups.ts';
import type { Log } from '@svc/application/ports/log.ts';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AskedThread } from '../../machine/asked-thread.ts';
import type { DigestThread } from '../digest-thread.ts';
import { formNameOf, KnownHashes, removeOtherForms } from './known-hashes.ts';
import type { NetworkDatabase, Networks } from './networks.ts';

const nowhere: Network = { country: null, asn: null };

/** Where there are no files to look anything up in. */
export const noOfflineLookups: OfflineLookups = { network: async () => nowhere, knownGood: async () => null };

interface OfflineFiles {
  /** In MaxMind's format, those asked first before others. */
  readonly networks: readonly string[];
  /** A list of hashes of known files. */
  readonly knownHashes: string | null;
  /** Where the sorted form of that is kept. */
  readonly folder: string;
}

/** How often it is looked whether a file has changed. */
const lookMs = 30_000;

/** Looks up in files, which are read with the first question and again when they have changed. */
export class FileLookups implements OfflineLookups {
  readonly #files: OfflineFiles;
  readonly #log: Log;
  readonly #networks: Kept<Networks>;
  readonly #hashes: Kept<KnownHashes>;

  constructor(files: OfflineFiles, log: Log, now: () => number = Date.now) {
    this.#files = files;
    this.#log = log;
    this.#networks = new Kept(
      now,
      () => this.#stampOfNetworks(),
      () => this.#readNetworks(),
    );
    this.#hashes = new Kept(
      now,
      () => this.#stampOfHashes(),
      (stamp) => this.#readHashes(stamp),
    );
  }

  async network(address: string): Promise<Network> {
    return (await this.#networks.whole())?.get(address) ?? nowhere;
  }

  /** Null while the list is sorted for the first time: that is minutes for a large one, and nobody waits for it. */
  async knownGood(hash: string): Promise<boolean | null> {
    return (await this.#hashes.soFar())?.has(hash) ?? null;
  }

  /** When the list has been read: for tests. */
  async settled(): Promise<void> {
    await this.#hashes.whole();
  }

  async close(): Promise<void> {
    await (await this.#hashes.soFar())?.close();
  }

  async #stampOfNetworks(): Promise<string | null> {
    const stamps = await Promise.all(this.#files.networks.map(formNameOf));
    return stamps.every((stamp) => stamp === null) ? null : stamps.join();
  }

  async #readNetworks(): Promise<Networks | null> {
    const { Networks, openNetworkDatabase } = await import('./networks.ts');
    const databases: NetworkDatabase[] = [];
    for (const path of this.#files.networks) {
      try {
        databases.push(openNetworkDatabase(await readFile(path)));
      } catch (error) {
        this.#log.warn('a database of networks cannot be read', { path, error });
      }
    }
    return new Networks(databases);
  }

  #stampOfHashes(): Promise<string | null> {
    return this.#files.knownHashes === null ? Promise.resolve(null) : formNameOf(this.#files.knownHashes);
  }

  async #readHashes(stamp: string): Promise<KnownHashes | null> {
    const { folder, knownHashes } = this.#files;
    const form = join(folder, stamp);
    try {
      if ((await stat(form).catch(() => null)) === null) {
        const startedAt = performance.now();
        const thread = await AskedThread.start<DigestThread>('digest-thread', {});
        try {
          await thread.ask('sortHashes', knownHashes!, form);
        } finally {
          await thread.end();
        }
        this.#log.info('hashes of known files sorted', { duration_ms: Math.round(performance.now() - startedAt) });
      }
      const known = await KnownHashes.open(form);
      await removeOtherForms(folder, stamp);
      return known;
    } catch (error) {
      this.#log.warn('the list of known files cannot be read', { path: knownHashes, error });
      return null;
    }
  }
}

/** Something that is read of files, and again once they have changed; what was read before is used meanwhile. */
class Kept<T> {
  readonly #now: () => number;
  readonly #stampNow: () => Promise<string | null>;
  readonly #read: (stamp: string) => Promise<T | null>;
  #value: T | null = null;
  #stamp: string | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  constructor(now: () => number, stampNow: () => Promise<string | null>, read: (stamp: string) => Promise<T | null>) {
    this.#now = now;
    this.#stampNow = stampNow;
    this.#read = read;
  }

  async soFar(): Promise<T | null> {
    if (this.#reading === null && this.#now() - this.#lookedAt >= lookMs) {
      this.#lookedAt = this.#now();
      const stamp = await this.#stampNow();
      if (stamp === null) this.#value = null;
      else if (stamp !== this.#stamp) this.#reading ??= this.#readAs(stamp);
      this.#stamp = stamp;
    }
    return this.#value;
  }

  async whole(): Promise<T | null> {
    await this.soFar();
    await this.#reading;
    return this.#value;
  }

  async #readAs(stamp: string): Promise<void> {
    try {
      this.#value = await this.#read(stamp);
    } finally {
      this.#reading = null;
    }
  }
}

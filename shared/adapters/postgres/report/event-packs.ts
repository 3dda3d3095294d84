import type { ObjectReader, ObjectStore } from '@svc/application/ports/object-store.ts';
import { eventsAt, readAt } from '@svc/application/report/event-pack.ts';
import { AppError } from '@svc/domain';

/** Where the sample events of a finding are: in the row, or in an object. */
export interface StoredPlace {
  readonly id: number;
  /** As JSON. */
  readonly inRow: string | null;
  readonly storageKey: string | null;
  readonly at: number | null;
  readonly bytes: number | null;
}

/** Bytes of a pack that is kept after it was read, and of all such. Nearly all packs are smaller. */
const [largestKept, mostKept] = [262_144, 4_194_304];

/** Reads sample events from wherever they are. A page of a report asks for those of several findings, one by one. */
export class EventPacks {
  readonly #objects: Pick<ObjectStore, 'open'>;
  /** Whole packs, the one that was used last at the end; they never change. */
  readonly #kept = new Map<string, Buffer>();
  #keptBytes = 0;

  constructor(objects: Pick<ObjectStore, 'open'>) {
    this.#objects = objects;
  }

  /** The events of each, as JSON, one after the other; without those whose object is gone. */
  async *read(places: readonly StoredPlace[]): AsyncGenerator<{ readonly id: number; readonly json: string }> {
    let key: string | null = null;
    let pack: ObjectReader | null = null;
    try {
      for (const { id, inRow, storageKey, at, bytes } of places) {
        if (inRow !== null) {
          yield { id, json: inRow };
          continue;
        }
        if (storageKey === null || at === null || bytes === null) continue;
        if (key !== storageKey) {
          await pack?.close();
          [key, pack] = [storageKey, null];
          pack = await this.#opened(storageKey);
        }
        if (pack !== null) yield { id, json: await eventsAt(pack, { at, bytes }).catch(unreadable) };
      }
    } finally {
      await pack?.close();
    }
  }

  /** Null where the store has lost it: a report without its events is better than none. */
  async #opened(key: string): Promise<ObjectReader | null> {
    const kept = this.#kept.get(key);
    if (kept) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return inMemory(kept);
    }
    try {
      const pack = await this.#objects.open(key);
      return pack.size > largestKept ? pack : inMemory(await this.#keep(key, pack));
    } catch (error) {
      if (error instanceof AppError && error.code === 'upload_missing') return null;
      throw error;
    }
  }

  async #keep(key: string, pack: ObjectReader): Promise<Buffer> {
    const bytes = await readAt(pack, { at: 0, bytes: pack.size }).finally(() => pack.close());
    // Another may have read it meanwhile.
    if (!this.#kept.has(key)) this.#keptBytes += bytes.length;
    this.#kept.set(key, bytes);
    for (const [oldest, { length }] of this.#kept) {
      if (this.#keptBytes <= mostKept) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= length;
    }
    return bytes;
  }
}

function unreadable(cause: unknown): never {
  if (cause instanceof AppError) throw cause;
  throw new AppError('unavailable', 'The sample events cannot be read from the object store', { cause });
}

function inMemory(bytes: Buffer): ObjectReader {
  return {
    size: bytes.length,
    read: async (offset, into) => bytes.copy(into, 0, offset),
    close: () => Promise.resolve(),
  };
}

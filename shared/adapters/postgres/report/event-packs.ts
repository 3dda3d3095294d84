import type { ObjectReader, ObjectStore } from '@svc/application/ports/object-store.ts';
import { eventsAt } from '@svc/application/report/event-pack.ts';
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

/** Reads sample events from wherever they are. */
export class EventPacks {
  readonly #objects: Pick<ObjectStore, 'open'>;

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
        if (pack !== null) yield { id, json: await eventsAt(pack, { at, bytes }) };
      }
    } finally {
      await pack?.close();
    }
  }

  /** Null where the store has lost it: a report without its events is better than none. */
  async #opened(key: string): Promise<ObjectReader | null> {
    try {
      return await this.#objects.open(key);
    } catch (error) {
      if (error instanceof AppError && error.code === 'upload_missing') return null;
      throw error;
    }
  }
}

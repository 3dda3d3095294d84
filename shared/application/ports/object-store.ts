/** Random access to a stored object; must be closed. */
export interface ObjectReader {
  readonly size: number;
  /** Fills `into` from `offset`; returns the bytes read, fewer only at the end. */
  read(offset: number, into: Uint8Array): Promise<number>;
  close(): Promise<void>;
}

/** An object as a file of this machine, for engines that read files; must be released. */
export interface LocalCopy {
  readonly path: string;
  release(): Promise<void>;
}

/** What an object is: a file that was submitted, what an analysis left, of a rule pack, or an answer for one client. */
export const objectAreas = ['uploads', 'outputs', 'packs', 'answers'] as const;
export type ObjectArea = (typeof objectAreas)[number];

/** What stays free in a store that knows its room (service 8.2). */
export const freeBytesFloor = 1_073_741_824;

/**
 * Uploads, results and rule packs, by random keys; a submitted name never appears in a key. Every method throws
 * `unavailable` when the store cannot be reached.
 */
export interface ObjectStore {
  /**
   * Stores the content under a new key ending in `suffix`, whole or not at all: an error thrown by
   * the content leaves nothing behind. The key of what is not an upload begins with its area and `/`.
   * Throws `low_space` when the store is full.
   * @param announce - is told the key before anything is stored under it; nothing is when that rejects
   */
  create(
    suffix: string,
    content: AsyncIterable<Uint8Array>,
    area?: ObjectArea,
    announce?: (key: string) => Promise<void>,
  ): Promise<{ key: string; sizeBytes: number }>;
  /** Throws `upload_missing`. */
  open(key: string): Promise<ObjectReader>;
  /**
   * Throws `upload_missing`, `low_space` when this machine has no room for it, and the signal's reason
   * once that aborts.
   */
  localCopy(key: string, signal?: AbortSignal): Promise<LocalCopy>;
  /** Deleting what is gone is no error. */
  delete(key: string): Promise<void>;
  /** Deletes an object for good, with its versions where the store keeps them. */
  erase(key: string): Promise<void>;
  exists(key: string): Promise<boolean>;
  /** Whether it has more than {@link freeBytesFloor} left, or has no bound; asks no other machine. */
  hasRoom(): Promise<boolean>;
  /** Throws when the store cannot be written; bytes left, null when it has no bound. */
  check(): Promise<{ freeBytes: number | null }>;
}

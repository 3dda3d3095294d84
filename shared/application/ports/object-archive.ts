/** What backups ask of a store beside what every process does. */
export interface ObjectArchive {
  /** Stores content under a key that it had elsewhere, whole or not at all; one of that key is replaced. */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Goes through the keys of all objects, some hundred at a time. */
  visitKeys(visit: (keys: readonly string[]) => Promise<void>): Promise<void>;
}

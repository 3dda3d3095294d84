/** What restoring a backup asks of a store beside what every process does. */
export interface ObjectArchive {
  /** Stores content under a key that it had elsewhere, whole or not at all; one of that key is replaced. */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<void>;
}

/**
 * Keys of objects that nothing refers to any more. They are noted in the transaction that dropped them, so that
 * the store is rid of them even when it could not be reached then; a key that is noted is never used again.
 */
export interface DroppedObjects {
  /** The first keys after this one, in order, of what may be gone by then. */
  list(page: { readonly by: Date; readonly after: string; readonly limit: number }): Promise<readonly string[]>;
  /** Notes those that are to go with the first sweep from then on. */
  note(keys: readonly string[], from: Date): Promise<void>;
  /** The object is gone. */
  forget(key: string): Promise<void>;
}

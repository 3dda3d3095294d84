/** An object of the store, as a listing tells of it. */
export interface StoredObject {
  readonly key: string;
  readonly sizeBytes: number;
  /** When it was whole, at the latest. */
  readonly storedAt: Date;
}

export interface ObjectPage {
  readonly objects: readonly StoredObject[];
  /** What the next page comes after; null for the last. */
  readonly next: string | null;
}

/** All that an object store holds, page by page. Every method throws `unavailable` when it cannot be reached. */
export interface ObjectListing {
  /**
   * Some of the objects that bear a key of the service, in the store's own order; a page may be empty. Answers for
   * single clients, which go by themselves, are left out.
   * @param after - `next` of the page before; null for the first
   */
  page(after: string | null): Promise<ObjectPage>;
  /** Room of the disk that the store is on; null where the store has no bound. */
  room(): Promise<{ readonly free: number; readonly total: number } | null>;
  /** Removes what is left of objects whose storing broke off, by this time surely; how many. */
  removeUnfinished(by: Date): Promise<number>;
}

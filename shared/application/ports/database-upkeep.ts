/** A table, with its indexes and what it keeps aside. */
export interface TableSize {
  readonly name: string;
  /** As far as the database knows without counting; null where it has never looked. */
  readonly rows: number | null;
  /** With everything that belongs to it. */
  readonly bytes: number;
  /** Of its indexes alone. */
  readonly indexBytes: number;
}

/** What the database takes on its disk. */
export interface DatabaseUpkeep {
  /** `files` is null where they are another machine's. */
  size(): Promise<{ readonly files: number | null; readonly bytes: number }>;
  /** The largest first. */
  tables(): Promise<readonly TableSize[]>;
  /** Writes a table anew without what was removed from it; whoever uses it waits meanwhile. */
  vacuum(table: string): Promise<void>;
}

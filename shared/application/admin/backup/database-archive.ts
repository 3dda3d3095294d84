/** A step of the schema, by its name and when it was written. */
export interface SchemaStep {
  readonly name: string;
  readonly at: number;
}

/** An object that rows name. One that is not `required` may be on its way, or never come. */
export interface NamedObject {
  readonly key: string;
  readonly required: boolean;
}

/** One state of the database; lists come in pieces of some megabytes at most. */
export interface DatabaseSnapshot {
  /** The last migration that was applied. */
  readonly schema: SchemaStep;
  /** Each after those that it refers to. */
  readonly tables: readonly string[];
  /** Rows as lines of JSON. */
  rows(table: string): AsyncIterable<readonly string[]>;
  /** Once each, sorted. */
  namedObjects(): AsyncIterable<readonly NamedObject[]>;
  /** Secrets as they are sealed. */
  sealedSecrets(): Promise<readonly string[]>;
  /** The last number that was given out, by sequence. */
  numbers(): Promise<Readonly<Record<string, number>>>;
}

/** What a database is filled with. */
export interface ArchivedDatabase extends Pick<DatabaseSnapshot, 'schema' | 'rows'> {
  /** With how many rows each has. */
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
  readonly numbers: Readonly<Record<string, number>>;
}

/** The whole database, for backups. */
export interface DatabaseArchive {
  /** Reads one state of it, whatever is written meanwhile. */
  read<T>(work: (snapshot: DatabaseSnapshot) => Promise<T>): Promise<T>;
  /** Steps of the schema that this version knows, the first one first. */
  knownSchema(): Promise<readonly SchemaStep[]>;
  /** A table that has rows; null when none has. */
  usedTable(): Promise<string | null>;
  /**
   * Fills an empty database, counts, and brings it to this version's schema: all of it or, when it rejects, nothing.
   */
  load(content: ArchivedDatabase): Promise<void>;
}

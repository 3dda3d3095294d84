/**
 * What a process is to the database in its data folder. `serve` starts it and keeps it running; `work` waits for the process
 * that serves; `visit` uses a running one or starts it for itself; `look` does as `visit` and changes no schema; `copy` does
 * as `look`, by a copy where another process has the database for itself. With `DATABASE_URL` there is nothing to start,
 * and all that change the schema are the same.
 */
export type DatabaseRole = 'serve' | 'work' | 'visit' | 'copy' | 'look';

/** Whether a process of that role leaves the schema as it finds it. */
export function changesNothing(role: DatabaseRole): boolean {
  return role === 'copy' || role === 'look';
}

/**
 * `fresh` has nothing in it yet, `later` was changed by a version after this one, `unmanaged` has tables that no
 * migration has made.
 */
export interface SchemaState {
  readonly state: 'at_head' | 'pending' | 'fresh' | 'later' | 'unmanaged';
  /** How many migrations are to be applied. */
  readonly pending: number;
}

/** What `/health` and the start of a process ask of the database. */
export interface DatabaseState {
  /**
   * Opens it with its schema up to date: applies pending migrations where the deployment says so, else
   * waits for them, as it waits for a server that does not answer. Later calls wait for the same opening.
   * @param role - `serve` by default
   */
  open(role?: DatabaseRole): Promise<void>;
  /** Whether there is one to open, rather than to make. */
  exists(): Promise<boolean>;
  /** Throws when it does not answer. */
  check(): Promise<void>;
  migrations(): Promise<'at_head' | 'pending'>;
  /** How its schema is to this version; asks a database that was not opened, too, where that needs no opening. */
  schema(): Promise<SchemaState>;
  /** Applies pending migrations, one process at a time. */
  migrate(): Promise<void>;
}

/**
 * What a process is to the database in its data folder: `serve` starts it and keeps it running, `work` waits for the
 * process that serves, `visit` uses a running one or starts it for itself. With `DATABASE_URL` there is no difference.
 */
export type DatabaseRole = 'serve' | 'work' | 'visit';

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
  /** Applies pending migrations, one process at a time. */
  migrate(): Promise<void>;
}

/**
 * As what a process comes to a database in its own folder: `serve` has it and keeps it running, `work` waits for the
 * process that does, `visit` goes to that one if there is one. A server’s database is the same to all of them.
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

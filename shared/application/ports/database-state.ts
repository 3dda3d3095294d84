/** What `/health` and the start of a process ask of the database. */
export interface DatabaseState {
  /** Opens it and applies pending migrations; later calls wait for the same opening. */
  open(): Promise<void>;
  /** Whether there is one to open, rather than to make. */
  exists(): Promise<boolean>;
  /** Throws when it does not answer. */
  check(): Promise<void>;
  migrations(): Promise<'at_head' | 'pending'>;
}

/** Starts worker processes for the heavy lane where none runs all the time. */
export interface WorkerLauncher {
  /** Has the dispatcher look at the lane now instead of within a minute. */
  wake(): Promise<void>;
  /** Workers that start or run. */
  running(): Promise<number>;
  /** Starts so many; answers how many could be started. */
  start(count: number): Promise<number>;
}

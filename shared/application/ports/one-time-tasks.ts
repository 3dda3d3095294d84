/** A program that runs once, beside the service. */
export interface OneTimeTask {
  /** What it was begun for. */
  readonly request: string;
  readonly state: 'runs' | 'done' | 'failed';
  /** Names it in its log. */
  readonly id: string;
  /** Why it ended, in words; null while it runs. */
  readonly reason: string | null;
}

/** Programs of one kind that run for as long as it takes, and for nobody but who begins them. */
export interface OneTimeTasks {
  /** Those that run, and those that ended not long ago. */
  list(): Promise<readonly OneTimeTask[]>;
  /**
   * Begins one; there is never a second for the same request. Throws when it cannot be begun.
   * @param program - which of the programs of this kind, in its version
   */
  begin(request: string, program: string): Promise<void>;
}

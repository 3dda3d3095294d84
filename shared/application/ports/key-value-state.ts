/** The store that several processes coordinate by; a single process has its own memory for it. */
export interface KeyValueState {
  /** Throws when it cannot be asked. */
  check(): Promise<void>;
}

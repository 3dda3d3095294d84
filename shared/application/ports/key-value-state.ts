/** The store that several processes coordinate by; a single process has its own memory for it. */
export interface KeyValueState {
  /** Throws when it cannot be asked. */
  check(): Promise<void>;
  /** What it does when its memory is full, as it calls that; null where it does not say. */
  evictionPolicy(): Promise<string | null>;
}

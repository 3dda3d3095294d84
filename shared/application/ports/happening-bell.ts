/** Tells who delivers happenings in this process that some were committed, or what is to be told to webhooks. */
export interface HappeningBell {
  /** Some were committed; resolves when it was heard, and never rejects. */
  ring(): Promise<void>;
  /** Has this called from now on whenever it rings, in place of what was called before; it must not reject. */
  answer(deliver: () => Promise<void>): void;
}

/** Counts requests in windows that the first request of a bucket opens (service 8.1). */
export interface RateLimiter {
  /**
   * Counts one; whether it is within the limit. Never rejects: what cannot be counted is let through.
   * @param seconds of the window. @default 60
   */
  take(bucket: string, limit: number, seconds?: number): Promise<boolean>;
  /** Takes back one that does not count after all. */
  giveBack(bucket: string): Promise<void>;
  /** Seconds until the window of a bucket ends. */
  wait(bucket: string): Promise<number>;
}

/** Counts requests in windows of one minute that the first request of a bucket opens (service 8.1). */
export interface RateLimiter {
  /** Counts one; whether it is within the limit. Never rejects: what cannot be counted is let through. */
  take(bucket: string, perMinute: number): Promise<boolean>;
}

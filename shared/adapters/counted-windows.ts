import type { RateLimiter } from '@svc/application/ports/rate-limiter.ts';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';

/** Of counters that are compared with the limit here, so that one bucket can be asked about with several. */
export const unlimited = { points: Number.MAX_SAFE_INTEGER, duration: 60 };

/** A rate limiter over the counters of a library, wherever these are kept. */
export class CountedWindows implements RateLimiter {
  readonly #windows: RateLimiterAbstract;

  constructor(windows: RateLimiterAbstract) {
    this.#windows = windows;
  }

  async take(bucket: string, limit: number, seconds = 60): Promise<boolean> {
    const { consumedPoints } = await this.#windows.consume(bucket, 1, { customDuration: seconds });
    return consumedPoints <= limit;
  }

  async giveBack(bucket: string): Promise<void> {
    await this.#windows.reward(bucket);
  }

  async wait(bucket: string): Promise<number> {
    return Math.ceil(((await this.#windows.get(bucket))?.msBeforeNext ?? 0) / 1000);
  }
}

import type { RateLimiter } from '@svc/application/ports/rate-limiter.ts';
import { RateLimiterMemory } from 'rate-limiter-flexible';

/** The counters of one process. Buckets go when their window is over. */
export class MemoryRateLimiter implements RateLimiter {
  readonly #windows = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 60 });

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

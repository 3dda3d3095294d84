import type { RateLimiter } from '@svc/application/ports/rate-limiter.ts';
import { RateLimiterMemory } from 'rate-limiter-flexible';

/** The counters of one process. Buckets go when their minute is over. */
export class MemoryRateLimiter implements RateLimiter {
  readonly #windows = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 60 });

  async take(bucket: string, perMinute: number): Promise<boolean> {
    const { consumedPoints } = await this.#windows.consume(bucket);
    return consumedPoints <= perMinute;
  }
}

import type { RateLimiter } from '@svc/application/ports/rate-limiter.ts';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { RedisConnection } from './connection.ts';

const windows = { points: Number.MAX_SAFE_INTEGER, duration: 60 };

/**
 * Counters of all processes together, under `svc:ratelimit:` (resolved-platform 20). While the store is
 * away each process counts for itself, from zero.
 */
export class RedisRateLimiter implements RateLimiter {
  readonly #windows: RateLimiterRedis;

  constructor({ client }: RedisConnection) {
    this.#windows = new RateLimiterRedis({
      ...windows,
      storeClient: client,
      keyPrefix: 'svc:ratelimit',
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(windows),
    });
  }

  async take(bucket: string, perMinute: number): Promise<boolean> {
    const { consumedPoints } = await this.#windows.consume(bucket);
    return consumedPoints <= perMinute;
  }
}

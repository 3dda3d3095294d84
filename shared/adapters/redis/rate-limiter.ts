import type { RateLimiter } from '@svc/application/ports/rate-limiter.ts';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { RedisConnection } from './connection.ts';

const windows = { points: Number.MAX_SAFE_INTEGER, duration: 60 };

/**
 * Counters of all processes together, under `svc:ratelimit:` (resolved-platform 20). While the store is
 * away each process counts for itself, from zero.
 */
export class RedisRateLimiter implements RateLimiter {
  readonly #redis: RedisConnection;
  readonly #windows: RateLimiterRedis;

  constructor(redis: RedisConnection) {
    this.#redis = redis;
    this.#windows = new RateLimiterRedis({
      ...windows,
      storeClient: redis.client,
      keyPrefix: 'svc:ratelimit',
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(windows),
    });
  }

  async take(bucket: string, limit: number, seconds = 60): Promise<boolean> {
    await this.#redis.tried;
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

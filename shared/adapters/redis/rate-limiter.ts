import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { CountedWindows, unlimited } from '../counted-windows.ts';
import type { RedisConnection } from './connection.ts';

/**
 * Counters of all processes together, under `svc:ratelimit:` (resolved-platform 20). While the store is
 * away each process counts for itself, from zero.
 */
export class RedisRateLimiter extends CountedWindows {
  readonly #redis: RedisConnection;

  constructor(redis: RedisConnection) {
    super(
      new RateLimiterRedis({
        ...unlimited,
        storeClient: redis.client,
        keyPrefix: 'svc:ratelimit',
        rejectIfRedisNotReady: true,
        insuranceLimiter: new RateLimiterMemory(unlimited),
      }),
    );
    this.#redis = redis;
  }

  override async take(bucket: string, limit: number, seconds?: number): Promise<boolean> {
    await this.#redis.tried;
    return super.take(bucket, limit, seconds);
  }
}

import type { Ports } from '@svc/application/ports/ports.ts';
import type { RedisConnection } from './connection.ts';
import { RedisRateLimiter } from './rate-limiter.ts';
import { RedisUploadAdmission } from './upload-admission.ts';

/** Of all processes that share a store; `places` is how many uploads they receive at once, together. */
export function redisCoordination(
  redis: RedisConnection,
  places: number,
): Pick<Ports, 'keyValue' | 'rateLimiter' | 'uploadAdmission'> {
  return {
    keyValue: redis,
    rateLimiter: new RedisRateLimiter(redis),
    uploadAdmission: new RedisUploadAdmission(redis, places),
  };
}

import { expect, it, vi } from 'vitest';
import { rateLimiterContract } from '../contract/rate-limiter.ts';
import { processTime } from '../testing/passing-time.ts';
import { MemoryRateLimiter } from './memory-rate-limiter.ts';

rateLimiterContract('of one process', () => new MemoryRateLimiter(), processTime);

it('forgets buckets whose minute is over', async () => {
  vi.useFakeTimers();
  const limiter = new MemoryRateLimiter();
  for (let at = 0; at < 500; at++) await limiter.take(`upload:${at}`, 3);
  expect(vi.getTimerCount()).toBe(500);
  vi.advanceTimersByTime(60_000);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

import type { RateLimiter } from '@svc/application/ports/rate-limiter.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** What every rate limiter has to do; time is the test's own. */
export function rateLimiterContract(name: string, open: () => RateLimiter): void {
  describe(`rate limiter: ${name}`, () => {
    let limiter: RateLimiter;
    const taken = async (times: number, bucket = 'a', perMinute = 3): Promise<boolean[]> => {
      const answers: boolean[] = [];
      for (let at = 0; at < times; at++) answers.push(await limiter.take(bucket, perMinute));
      return answers;
    };
    beforeEach(() => {
      vi.useFakeTimers({ now: new Date('2026-03-01T10:00:00Z') });
      limiter = open();
    });
    afterEach(() => void vi.useRealTimers());

    it('lets as many through as the limit says', async () => {
      expect(await taken(5)).toEqual([true, true, true, false, false]);
    });

    it('counts buckets apart', async () => {
      await taken(5);
      expect(await taken(1, 'b')).toEqual([true]);
    });

    it('anchors the window at the first request, whatever comes later', async () => {
      await taken(1);
      vi.advanceTimersByTime(50_000);
      expect(await taken(4)).toEqual([true, true, false, false]);
      vi.advanceTimersByTime(9_000);
      expect(await taken(1)).toEqual([false]);
      vi.advanceTimersByTime(2_000);
      expect(await taken(4)).toEqual([true, true, true, false]);
    });

    it('counts all that come at once', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => limiter.take('a', 7)));
      expect(answers.filter(Boolean)).toHaveLength(7);
    });
  });
}

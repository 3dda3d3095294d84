import type { RateLimiter } from '@svc/application/ports/rate-limiter.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PassingTime } from '../testing/passing-time.ts';

/** What every rate limiter has to do; `open` makes one that has counted nothing yet. */
export function rateLimiterContract(
  name: string,
  open: () => RateLimiter | Promise<RateLimiter>,
  { begin, pass, end }: PassingTime,
): void {
  describe(`rate limiter: ${name}`, () => {
    let limiter: RateLimiter;
    const taken = async (times: number, bucket = 'a', perMinute = 3): Promise<boolean[]> => {
      const answers: boolean[] = [];
      for (let at = 0; at < times; at++) answers.push(await limiter.take(bucket, perMinute));
      return answers;
    };
    beforeEach(async () => {
      await begin();
      limiter = await open();
    });
    afterEach(async () => void (await end()));

    it('lets as many through as the limit says', async () => {
      expect(await taken(5)).toEqual([true, true, true, false, false]);
    });

    it('counts buckets apart', async () => {
      await taken(5);
      expect(await taken(1, 'b')).toEqual([true]);
    });

    it('anchors the window at the first request, whatever comes later', async () => {
      await taken(1);
      await pass(50_000);
      expect(await taken(4)).toEqual([true, true, false, false]);
      await pass(9_000);
      expect(await taken(1)).toEqual([false]);
      await pass(2_000);
      expect(await taken(4)).toEqual([true, true, true, false]);
    });

    it('has windows as long as it is asked, takes back, and says when they end', async () => {
      expect(await limiter.wait('a')).toBe(0);
      for (let at = 0; at < 2; at++) expect(await limiter.take('a', 2, 600)).toBe(true);
      expect(await limiter.take('a', 2, 600)).toBe(false);
      await limiter.giveBack('a');
      await limiter.giveBack('a');
      await pass(400_000);
      expect(await limiter.wait('a')).toBe(200);
      expect(await limiter.take('a', 2, 600)).toBe(true);
      expect(await limiter.take('a', 2, 600)).toBe(false);
      await pass(201_000);
      expect(await limiter.take('a', 1, 600)).toBe(true);
    });

    it('counts all that come at once', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => limiter.take('a', 7)));
      expect(answers.filter(Boolean)).toHaveLength(7);
    });
  });
}

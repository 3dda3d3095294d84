import { RateLimiterMemory } from 'rate-limiter-flexible';
import { CountedWindows, unlimited } from '../counted-windows.ts';

/** The counters of one process. Buckets go when their window is over. */
export class MemoryRateLimiter extends CountedWindows {
  constructor() {
    super(new RateLimiterMemory(unlimited));
  }
}

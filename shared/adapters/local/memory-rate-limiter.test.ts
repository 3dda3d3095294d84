import { rateLimiterContract } from '../contract/rate-limiter.ts';
import { processTime } from '../testing/passing-time.ts';
import { MemoryRateLimiter } from './memory-rate-limiter.ts';

rateLimiterContract('of one process', () => new MemoryRateLimiter(), processTime);

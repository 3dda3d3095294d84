import { rateLimiterContract } from '../contract/rate-limiter.ts';
import { MemoryRateLimiter } from './memory-rate-limiter.ts';

rateLimiterContract('of one process', () => new MemoryRateLimiter());

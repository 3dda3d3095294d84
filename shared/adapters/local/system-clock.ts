import type { Clock } from '@svc/application/ports/clock.ts';

export const systemClock: Clock = { now: () => new Date() };

import { vi } from 'vitest';

/** How time passes for an adapter in a contract suite; it never has to be waited for. */
export interface PassingTime {
  readonly begin: () => unknown;
  readonly pass: (ms: number) => unknown;
  readonly end: () => unknown;
}

/** Of what counts by the timers and clocks of this process. */
export const processTime: PassingTime = {
  begin: () => vi.useFakeTimers(),
  pass: (ms) => vi.advanceTimersByTime(ms),
  end: () => vi.useRealTimers(),
};

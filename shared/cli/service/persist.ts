import { RequestError } from '@svc/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionError } from './service-error.ts';

export interface Patience {
  readonly signal: AbortSignal;
  /** Told before each pause. */
  waiting?(error: Error, ms: number): void;
}

/** All pauses of one piece of work together. */
const mostWaitingMs = 600_000;
const longestPauseMs = 30_000;
/** A failure of the service's own may be the same each time. */
const mostInternalFailures = 3;

/**
 * Does something again and again while the service is busy or out of reach: after as long as it says,
 * else after pauses that double from a second up to half a minute, each of a random part, ten minutes
 * in all. Then the last error is thrown; other errors are thrown at once.
 */
export async function persist<T>(work: (attempt: number) => Promise<T>, patience: Patience): Promise<T> {
  let waited = 0;
  for (let attempt = 0; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      patience.signal.throwIfAborted();
      if (!isTemporary(error, attempt)) throw error;
      const ms = pauseAfter(error, attempt);
      waited += ms;
      if (waited > mostWaitingMs) throw error;
      patience.waiting?.(error, ms);
      await sleep(ms, undefined, { signal: patience.signal });
    }
  }
}

function isTemporary(error: unknown, attempt: number): error is RequestError | ConnectionError {
  if (error instanceof ConnectionError) return !error.isFinal;
  if (!(error instanceof RequestError)) return false;
  if (error.status === 500) return attempt + 1 < mostInternalFailures;
  return [408, 429, 502, 503, 504].includes(error.status);
}

/** Of random length, so that clients that were turned away together do not come back together. */
function pauseAfter(error: RequestError | ConnectionError, attempt: number): number {
  const told = error instanceof RequestError ? error.retryAfter : null;
  if (told !== null) return told * 1000 + Math.random() * 1000;
  return Math.min(longestPauseMs, 1000 * 2 ** attempt) * (0.5 + Math.random() / 2);
}

import { AppError } from '@svc/domain';

/** How many may wait behind each other for one caller. */
const mostWaiting = 20;

/**
 * Runs expensive work a few pieces at a time: at most one of each caller, callers in turn, so that many requests of
 * one caller delay nobody else for long.
 */
export class Turns {
  readonly #atOnce: number;
  readonly #waitMs: number;
  readonly #running = new Set<string>();
  /** In the order in which callers are next. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor({ atOnce, waitMs }: { readonly atOnce: number; readonly waitMs: number }) {
    this.#atOnce = atOnce;
    this.#waitMs = waitMs;
  }

  /** Throws `busy` when too many wait, or the turn does not come in time. */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    await this.#turn(caller);
    try {
      return await work();
    } finally {
      this.#running.delete(caller);
      this.#next();
    }
  }

  #turn(caller: string): Promise<void> {
    const queue = this.#waiting.get(caller) ?? [];
    if (queue.length >= mostWaiting) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(deadline);
        resolve();
      };
      const deadline = setTimeout(() => {
        queue.splice(queue.indexOf(begin), 1);
        reject(busy());
      }, this.#waitMs);
      queue.push(begin);
      this.#waiting.set(caller, queue);
      this.#next();
    });
  }

  #next(): void {
    for (const [caller, queue] of this.#waiting) {
      if (this.#running.size >= this.#atOnce) return;
      if (this.#running.has(caller)) continue;
      this.#waiting.delete(caller);
      const begin = queue.shift();
      if (!begin) continue;
      if (queue.length > 0) this.#waiting.set(caller, queue);
      this.#running.add(caller);
      begin();
    }
  }
}

function busy(): AppError {
  return new AppError('busy', 'Too many large answers are being made; try again in a few seconds');
}

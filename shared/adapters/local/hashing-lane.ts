import type { Asker } from '@svc/application/ports/password-hasher.ts';
import { AppError } from '@svc/domain';

export interface LaneSize {
  /** Hashes made at the same time; strangers leave one to the known, where there are two. */
  readonly places: number;
  /** How many of each may wait. */
  readonly waiting: Readonly<Record<Asker, number>>;
}

/**
 * Has hashes made a few at a time, so that guesses take neither all processors nor all threads: the known go first,
 * and who comes when too many wait is refused.
 */
export class HashingLane {
  readonly #size: LaneSize;
  readonly #queues: Record<Asker, (() => void)[]> = { known: [], stranger: [] };
  readonly #running: Record<Asker, number> = { known: 0, stranger: 0 };

  constructor(size: LaneSize) {
    this.#size = size;
  }

  /** Throws `busy`. */
  async run<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
    await this.#place(asker);
    try {
      return await work();
    } finally {
      this.#running[asker] -= 1;
      this.#startNext();
    }
  }

  #place(asker: Asker): Promise<void> | void {
    if (this.#isFree(asker)) return void (this.#running[asker] += 1);
    const queue = this.#queues[asker];
    if (queue.length >= this.#size.waiting[asker]) {
      throw new AppError('busy', 'Too many passwords are being checked; try again in some seconds');
    }
    return new Promise((start) => void queue.push(start));
  }

  #isFree(asker: Asker): boolean {
    const { known, stranger } = this.#running;
    const { places } = this.#size;
    if (known + stranger >= places) return false;
    return asker === 'known' || stranger < Math.max(1, places - 1);
  }

  #startNext(): void {
    for (const asker of ['known', 'stranger'] as const) {
      while (this.#queues[asker].length > 0 && this.#isFree(asker)) {
        this.#running[asker] += 1;
        this.#queues[asker].shift()!();
      }
    }
  }
}

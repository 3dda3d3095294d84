import { operations, type JobState } from '@svc/contracts';
import { isTerminal } from '@svc/domain';
import { setTimeout as sleep } from 'node:timers/promises';
import { persist, type Patience } from '../service/persist.ts';
import type { Service } from '../service/service.ts';

const statesPerRequest = 50;
/** Small files are done in a moment, others are not. */
const firstPauseMs = 500;
const longestPauseMs = 3000;

interface Waiting {
  settle(state: JobState | null): void;
  fail(error: unknown): void;
}

/** Asks for the states of jobs until they are terminal: fifty at a time, at last one request every three seconds. */
export class JobWatch {
  readonly #service: Pick<Service, 'call'>;
  readonly #patience: Patience;
  /** In the order in which they are asked for. */
  readonly #waiting = new Map<number, Waiting[]>();
  #isAsking = false;
  #pauseMs = firstPauseMs;

  constructor(service: Pick<Service, 'call'>, patience: Patience) {
    this.#service = service;
    this.#patience = patience;
  }

  /** The last state of a job; null when there is no such job any more that one may see. */
  end(jobId: number): Promise<JobState | null> {
    return new Promise((settle, fail) => {
      this.#waiting.set(jobId, [...(this.#waiting.get(jobId) ?? []), { settle, fail }]);
      if (!this.#isAsking) void this.#ask();
    });
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    try {
      while (this.#waiting.size > 0) {
        await sleep(this.#pauseMs, undefined, { signal: this.#patience.signal });
        this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs + firstPauseMs);
        await this.#askOnce();
      }
    } catch (error) {
      const all = [...this.#waiting.values()].flat();
      this.#waiting.clear();
      for (const one of all) one.fail(error);
    }
    this.#isAsking = false;
  }

  async #askOnce(): Promise<void> {
    const ids = [...this.#waiting.keys()].slice(0, statesPerRequest);
    const { signal } = this.#patience;
    const states = await persist(
      () => this.#service.call(operations.getJobStates, { ids: ids.join(',') }, { signal }),
      this.#patience,
    );
    for (const state of states.jobs) if (isTerminal(state.status)) this.#settle(state.job_id, state);
    for (const id of states.unavailable_ids) this.#settle(id, null);
    // Those that are not done come after all others.
    for (const id of ids) {
      const still = this.#waiting.get(id);
      if (still === undefined) continue;
      this.#waiting.delete(id);
      this.#waiting.set(id, still);
    }
  }

  #settle(id: number, state: JobState | null): void {
    const done = this.#waiting.get(id) ?? [];
    this.#waiting.delete(id);
    for (const one of done) one.settle(state);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { isInFlight, type AiRun } from '@svc/domain';
import type { AiRunRepository } from './ai-run-repository.ts';

/** How often what a run has written is looked at, however many follow it here. */
const lookMs = 300;

/** A run as it is now, for all who follow it in this process. */
export interface FedRun {
  readonly run: AiRun;
  readonly text: string;
  readonly log: string;
}

type Runs = Pick<AiRunRepository, 'progress'>;

function nextChange(): { readonly comes: Promise<void>; readonly tell: () => void } {
  const resolves: (() => void)[] = [];
  const comes = new Promise<void>((resolve) => void resolves.push(resolve));
  return { comes, tell: () => resolves[0]?.() };
}

/** Looks at one run again and again, for as long as somebody follows it and it is in flight. */
class Feed {
  readonly #runs: Runs;
  readonly #id: number;
  readonly #over: () => void;
  #followers = 0;
  #now: FedRun | null = null;
  #failure: unknown = null;
  #hasEnded = false;
  #change = nextChange();
  #isLooking = false;

  constructor(runs: Runs, id: number, over: () => void) {
    this.#runs = runs;
    this.#id = id;
    this.#over = over;
  }

  enter(): void {
    this.#followers += 1;
    if (!this.#isLooking) void this.#look();
  }

  leave(): void {
    this.#followers -= 1;
    if (this.#followers === 0) this.#over();
  }

  /** What there is now, if that is something else; else what there is when that changes, or when the time is over. */
  async after(seen: FedRun | null, ms: number): Promise<FedRun | 'gone' | 'same'> {
    if (this.#failure === null && !this.#hasEnded && this.#now === seen) {
      const stop = new AbortController();
      await Promise.race([this.#change.comes, sleep(ms, undefined, { signal: stop.signal }).catch(() => undefined)]);
      stop.abort();
    }
    if (this.#failure !== null) throw this.#failure;
    if (this.#now !== seen && this.#now !== null) return this.#now;
    return this.#hasEnded ? 'gone' : 'same';
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    try {
      while (this.#followers > 0) {
        const progress = await this.#runs.progress(this.#id, this.#now?.text.length ?? 0);
        if (progress === null) return;
        const { run, rest, log, length } = progress;
        const known = this.#now?.text ?? '';
        // A run that was stopped keeps nothing of what it wrote.
        const text = length < known.length ? '' : known + rest;
        if (this.#isNews(run, text, log)) this.#tell({ run, text, log });
        if (!isInFlight(run)) return;
        await sleep(lookMs);
      }
    } catch (error) {
      this.#failure = error;
    } finally {
      this.#hasEnded = true;
      this.#over();
      this.#change.tell();
    }
  }

  #isNews(run: AiRun, text: string, log: string): boolean {
    const before = this.#now;
    return before === null || before.run.status !== run.status || before.text !== text || before.log !== log;
  }

  #tell(now: FedRun): void {
    this.#now = now;
    const { tell } = this.#change;
    this.#change = nextChange();
    tell();
  }
}

/** Feeds of runs that somebody follows in this process: the database is asked once for all of them. */
export class RunFeeds {
  readonly #runs: Runs;
  readonly #feeds = new Map<number, Feed>();

  constructor(runs: Runs) {
    this.#runs = runs;
  }

  /** Call its `leave` at the end. */
  enter(id: number): Feed {
    const known = this.#feeds.get(id);
    const feed: Feed =
      known ??
      new Feed(this.#runs, id, () => {
        if (this.#feeds.get(id) === feed) this.#feeds.delete(id);
      });
    this.#feeds.set(id, feed);
    feed.enter();
    return feed;
  }
}

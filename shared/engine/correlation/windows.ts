import type { Correlation } from './correlation.ts';
import { type Measure, measureFor, type Reference } from './measures.ts';

/** What the windows of a group tell: a match that counts, once, and each firing when it is over. */
export interface WindowEvents<T> {
  contributes(match: T): void;
  /**
   * @param at the match that first fulfilled the condition.
   * @param count matches of the burst or window.
   */
  fires(at: T, count: number): void;
}

/** The windows of one group, given its matches in order of time (detection-engine 1.6). */
export interface Windows<T extends Reference> {
  /** Matches held. */
  readonly size: number;
  /** Time of the latest match. */
  readonly last: number;
  add(match: T): void;
  /** Gives up the oldest match, where there is no room for all. */
  forget(): void;
  /** There are no more matches, or none within the timespan. */
  end(): void;
}

/** Rising conditions slide, all others take windows one after another. */
export function windowsFor<T extends Reference>(correlation: Correlation, events: WindowEvents<T>): Windows<T> {
  const { type, bounds, timespan } = correlation;
  const isRising = type.startsWith('temporal') || bounds.every(({ op }) => op === 'gt' || op === 'gte');
  const measure = measureFor(correlation);
  return isRising ? new Bursts(measure, timespan * 1000, events) : new Series(measure, timespan * 1000, events);
}

/** Matches in order, of which the oldest leave. */
class Queue<T> {
  #items: T[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  get first(): T | undefined {
    return this.#items[this.#head];
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T {
    const item = this.#items[this.#head++]!;
    if (this.#head > 64 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  at(place: number): T {
    return this.#items[this.#head + place]!;
  }
}

/** A burst under way: its matches, by their number in the group, and the one that first fulfilled the condition. */
interface Burst<T> {
  readonly from: number;
  to: number;
  readonly at: T;
}

/**
 * Each match ends a window of all that is not older than the timespan. A burst lasts while windows that
 * follow each other hold and overlap.
 */
class Bursts<T extends Reference> implements Windows<T> {
  readonly #measure: Measure;
  readonly #span: number;
  readonly #events: WindowEvents<T>;
  readonly #window = new Queue<T>();
  /** By the value that holds; `''` where it is the whole window. */
  readonly #bursts = new Map<string, Burst<T>>();
  #entered = 0;
  /** Number of the first match that has not been said to contribute. */
  #uncounted = 0;
  last = Number.NEGATIVE_INFINITY;

  constructor(measure: Measure, span: number, events: WindowEvents<T>) {
    this.#measure = measure;
    this.#span = span;
    this.#events = events;
  }

  get size(): number {
    return this.#window.size;
  }

  add(match: T): void {
    const from = match.time - this.#span;
    while (this.#window.size > 0 && this.#window.first!.time < from) this.forget();
    this.#window.push(match);
    this.#measure.enter(match);
    this.last = match.time;
    const number = this.#entered++;
    const first = this.#entered - this.#window.size;
    const holding = this.#measure.holding(from);
    for (const [value, burst] of this.#bursts) {
      if (!holding.includes(value) || first > burst.to) this.#close(value, burst);
    }
    for (const value of holding) {
      const burst = this.#bursts.get(value);
      if (burst === undefined) this.#bursts.set(value, { from: first, to: number, at: match });
      else burst.to = number;
    }
    if (holding.length > 0) this.#count(first);
  }

  forget(): void {
    this.#measure.leave(this.#window.shift());
  }

  end(): void {
    for (const [value, burst] of this.#bursts) this.#close(value, burst);
  }

  #close(value: string, { from, to, at }: Burst<T>): void {
    this.#bursts.delete(value);
    this.#events.fires(at, to - from + 1);
  }

  #count(first: number): void {
    for (let number = Math.max(first, this.#uncounted); number < this.#entered; number++) {
      this.#events.contributes(this.#window.at(number - first));
    }
    this.#uncounted = this.#entered;
  }
}

/** Windows that do not overlap, each opened by the first match after the one before. */
class Series<T extends Reference> implements Windows<T> {
  readonly #measure: Measure;
  readonly #span: number;
  readonly #events: WindowEvents<T>;
  readonly #window = new Queue<T>();
  #opened = Number.NEGATIVE_INFINITY;
  last = Number.NEGATIVE_INFINITY;

  constructor(measure: Measure, span: number, events: WindowEvents<T>) {
    this.#measure = measure;
    this.#span = span;
    this.#events = events;
  }

  get size(): number {
    return this.#window.size;
  }

  add(match: T): void {
    if (match.time > this.#opened + this.#span) {
      this.end();
      this.#opened = match.time;
    }
    this.#window.push(match);
    this.#measure.enter(match);
    this.last = match.time;
  }

  forget(): void {
    this.#measure.leave(this.#window.shift());
  }

  end(): void {
    const { size } = this.#window;
    const holding = size === 0 ? [] : this.#measure.holding(this.#opened);
    const last = size === 0 ? undefined : this.#window.at(size - 1);
    while (this.#window.size > 0) {
      const match = this.#window.shift();
      this.#measure.leave(match);
      if (holding.length > 0) this.#events.contributes(match);
    }
    for (const _ of holding) this.#events.fires(last!, size);
  }
}

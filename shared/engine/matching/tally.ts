import type { LogEvent } from '../events/log-event.ts';

/** How many events have one channel and event id. */
export interface EventKind {
  readonly channel: string | null;
  readonly eventId: string | null;
  readonly count: number;
}

/** What a log consists of, apart from what was found in it. */
export interface Statistics {
  /** First and last event time, UTC ISO 8601; null when no event has one. */
  readonly first: string | null;
  readonly last: string | null;
  /** Most frequent first; beyond the first 10,000 kinds met, the others are in none. */
  readonly kinds: readonly EventKind[];
}

const mostKinds = 10_000;
const separator = '\u0000';

/** Counts all events of a run by kind; costs a look at the head of each. */
export class Tally {
  #first: string | null = null;
  #last: string | null = null;
  readonly #kinds = new Map<string, { channel: string | null; eventId: string | null; count: number }>();

  add(event: LogEvent): void {
    const { timestamp, channel, eventId } = event.head();
    this.#span(timestamp, timestamp);
    this.#count(channel, eventId, 1);
  }

  /** Adds what was counted of a later part of the same log. */
  merge({ first, last, kinds }: Statistics): void {
    this.#span(first, last);
    for (const { channel, eventId, count } of kinds) this.#count(channel, eventId, count);
  }

  result(): Statistics {
    const kinds = [...this.#kinds.values()].sort((one, other) => other.count - one.count || compare(one, other));
    return { first: this.#first, last: this.#last, kinds };
  }

  #span(first: string | null, last: string | null): void {
    if (first !== null && (this.#first === null || isEarlier(first, this.#first))) this.#first = first;
    if (last !== null && (this.#last === null || isEarlier(this.#last, last))) this.#last = last;
  }

  #count(channel: string | null, eventId: string | null, count: number): void {
    const key = `${channel}${separator}${eventId}`;
    const known = this.#kinds.get(key);
    if (known !== undefined) known.count += count;
    else if (this.#kinds.size < mostKinds) this.#kinds.set(key, { channel, eventId, count });
  }
}

function compare(one: EventKind, other: EventKind): number {
  const [a, b] = [one, other].map(({ channel, eventId }) => `${channel}${separator}${eventId}`) as [string, string];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Times end in `Z`, which would sort a whole second behind its fractions. */
function isEarlier(one: string, other: string): boolean {
  return one.slice(0, -1) < other.slice(0, -1);
}

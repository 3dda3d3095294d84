/** A stretch of time in which records are, with the first and the last of them, in milliseconds since 1970. */
interface Stretch {
  count: number;
  first: number;
  last: number;
}

/** What was met of times; plain data, so that threads can hand it over. */
export interface MetTimes {
  readonly width: number;
  /** By the number of a stretch of that width. */
  readonly stretches: readonly (readonly [number, Stretch])[];
}

/** A stretch of time without records, between two of them. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** What the distances between records come to, in order of time. */
export interface Rhythm {
  /** 19 of 20 distances from a record to the next are at most that long, in milliseconds. */
  readonly usual: number;
  /** How long a gap is at least: ten times as long, and no less than can be told for sure. */
  readonly least: number;
  /** Longest first. */
  readonly gaps: readonly Gap[];
}

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
/** Far less than a gap; the less it is, the more often a record begins another stretch. */
const narrowest = 10 * second;
/** Stretches that are held: of a month, each is a quarter of an hour. */
const mostHeld = 4096;
/** With fewer distances one of twenty is none. */
const fewestDistances = 20;
const timesUsual = 10;
/** Nobody calls less a gap. */
const shortestGap = minute;

/**
 * Where in time records are, in any order and in memory that does not grow with them: the more stretches, the wider
 * they get. What it tells does not depend on the order.
 */
export class OccupiedTimes {
  #width = narrowest;
  #stretches = new Map<number, Stretch>();
  /** The stretch met last, and where it begins and ends: the next record is nearly always in it. */
  #current: Stretch = emptyStretch();
  #from = 0;
  #to = 0;

  add(ms: number): void {
    if (ms < this.#from || ms >= this.#to) this.#enter(ms);
    const current = this.#current;
    current.count++;
    if (ms > current.last) current.last = ms;
    if (ms < current.first) current.first = ms;
  }

  met(): MetTimes {
    return { width: this.#width, stretches: [...this.#stretches] };
  }

  static join(parts: readonly MetTimes[]): OccupiedTimes {
    const all = new OccupiedTimes();
    all.#width = Math.max(narrowest, ...parts.map(({ width }) => width));
    for (const { stretches } of parts) for (const [, stretch] of stretches) all.#put(stretch);
    all.#widen();
    return all;
  }

  /** First and last time; null where there is none. */
  span(): Gap | null {
    const [first, last] = [this.#inOrder().at(0), this.#inOrder().at(-1)];
    return first && last ? { from: first.first, to: last.last } : null;
  }

  /** Null where there are too few records to have one. */
  rhythm(): Rhythm | null {
    const stretches = this.#inOrder();
    const records = stretches.reduce((sum, { count }) => sum + count, 0);
    if (records <= fewestDistances) return null;
    const between = stretches.slice(1).map(({ first }, at): Gap => ({ from: stretches[at]!.last, to: first }));
    const usual = roundedUp(usualDistance(stretches, between, Math.floor((records - 1) / fewestDistances)));
    // What is shorter than a stretch may lie within one, unseen.
    const least = roundedUp(Math.max(shortestGap, this.#width, usual * timesUsual));
    const gaps = between.filter((gap) => lengthOf(gap) >= least);
    return { usual, least, gaps: gaps.sort((a, b) => lengthOf(b) - lengthOf(a) || a.from - b.from) };
  }

  #inOrder(): Stretch[] {
    return [...this.#stretches].sort(([a], [b]) => a - b).map(([, stretch]) => stretch);
  }

  #enter(ms: number): void {
    const number = Math.floor(ms / this.#width);
    let stretch = this.#stretches.get(number);
    if (stretch === undefined) {
      this.#stretches.set(number, (stretch = emptyStretch()));
      if (this.#stretches.size > mostHeld) {
        this.#widen(ms);
        return;
      }
    }
    this.#current = stretch;
    this.#from = number * this.#width;
    this.#to = this.#from + this.#width;
  }

  /** @param entering a time whose stretch is empty as yet. */
  #widen(entering?: number): void {
    while (this.#stretches.size > mostHeld) {
      this.#width *= 2;
      const before = this.#stretches;
      this.#stretches = new Map();
      for (const stretch of before.values()) if (stretch.count > 0) this.#put(stretch);
      if (entering !== undefined) this.#enter(entering);
    }
  }

  #put({ count, first, last }: Stretch): void {
    const number = Math.floor(first / this.#width);
    const known = this.#stretches.get(number);
    if (known === undefined) {
      this.#stretches.set(number, { count, first, last });
      return;
    }
    known.count += count;
    known.first = Math.min(known.first, first);
    known.last = Math.max(known.last, last);
  }
}

function emptyStretch(): Stretch {
  return { count: 0, first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY };
}

/** To a whole second, and of longer times to what they are told in: what holds of less holds of more. */
function roundedUp(ms: number): number {
  const step = ms < hour ? second : ms < 48 * hour ? minute : ms < 730 * day ? hour : day;
  return Math.ceil(ms / step) * step;
}

function lengthOf({ from, to }: Gap): number {
  return to - from;
}

/**
 * The least length that at most `many` distances are known to be longer than. Of those within a stretch only their
 * number and their sum are known: no more of them can be longer than the sum has room for.
 */
function usualDistance(stretches: readonly Stretch[], between: readonly Gap[], many: number): number {
  const longer = (length: number): number =>
    between.filter((gap) => lengthOf(gap) > length).length +
    stretches.reduce((sum, { count, first, last }) => {
      return sum + Math.min(count - 1, Math.floor((last - first) / (length + 1)));
    }, 0);
  let [least, most] = [0, Math.max(...between.map(lengthOf), ...stretches.map(({ first, last }) => last - first))];
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    if (longer(middle) <= many) most = middle;
    else least = middle + 1;
  }
  return least;
}

import type { Expression } from '../sigma/expression.ts';
import type { Bound, Correlation } from './correlation.ts';

/** One match that a correlation sees. */
export interface Reference {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Place of the record in the input; decides ties. */
  readonly order: number;
  /** Place among the correlation's inputs. */
  readonly input: number;
  /** Values of the condition's fields, folded and joined; null where the condition names none. */
  readonly value: string | null;
}

/** What the references of one window amount to, kept up to date as they enter and leave it. */
export interface Measure {
  enter(reference: Reference): void;
  leave(reference: Reference): void;
  /**
   * What of the window fulfils the condition: nothing, the whole of it (`''`), or single values.
   * @param from time at which the window begins.
   */
  holding(from: number): readonly string[];
}

const whole: readonly string[] = [''];
const nothing: readonly string[] = [];

/** The measure of a correlation's windows, empty. */
export function measureFor(correlation: Correlation): Measure {
  const { type, bounds, percentile, inputs } = correlation;
  switch (type) {
    case 'event_count':
      return new Count(bounds);
    case 'value_count':
      return new Distinct(bounds);
    case 'value_sum':
      return new Sum(bounds, false);
    case 'value_avg':
      return new Sum(bounds, true);
    case 'value_median':
      return new Percentile(bounds, 50);
    case 'value_percentile':
      return percentile === null ? new Shares(bounds) : new Percentile(bounds, percentile);
    case 'temporal':
      return new Presence(correlation);
    case 'temporal_ordered':
      return correlation.expression === null ? new Succession(bounds, inputs.length) : new Presence(correlation);
  }
}

/** The number that a value is; NaN for any other text. */
export function numberIn(value: string | null): number {
  return value === null || value.trim() === '' ? Number.NaN : Number(value);
}

function meets(bounds: readonly Bound[], value: number): boolean {
  return bounds.every(({ op, than }) => {
    switch (op) {
      case 'lt':
        return value < than;
      case 'lte':
        return value <= than;
      case 'gt':
        return value > than;
      case 'gte':
        return value >= than;
      case 'eq':
        return value === than;
      case 'neq':
        return value !== than;
    }
  });
}

function wholeIf(holds: boolean): readonly string[] {
  return holds ? whole : nothing;
}

class Count implements Measure {
  readonly #bounds: readonly Bound[];
  #count = 0;

  constructor(bounds: readonly Bound[]) {
    this.#bounds = bounds;
  }

  enter(): void {
    this.#count++;
  }

  leave(): void {
    this.#count--;
  }

  holding(): readonly string[] {
    return wholeIf(meets(this.#bounds, this.#count));
  }
}

/** Counts of what repeats. */
class Tallies<K> {
  readonly counts = new Map<K, number>();
  total = 0;

  add(key: K): void {
    this.total++;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  remove(key: K): void {
    this.total--;
    const left = this.counts.get(key)! - 1;
    if (left === 0) this.counts.delete(key);
    else this.counts.set(key, left);
  }
}

class Distinct implements Measure {
  readonly #bounds: readonly Bound[];
  readonly #values = new Tallies<string | null>();

  constructor(bounds: readonly Bound[]) {
    this.#bounds = bounds;
  }

  enter({ value }: Reference): void {
    this.#values.add(value);
  }

  leave({ value }: Reference): void {
    this.#values.remove(value);
  }

  holding(): readonly string[] {
    return wholeIf(meets(this.#bounds, this.#values.counts.size));
  }
}

class Sum implements Measure {
  readonly #bounds: readonly Bound[];
  readonly #isMean: boolean;
  #sum = 0;
  #count = 0;

  constructor(bounds: readonly Bound[], isMean: boolean) {
    this.#bounds = bounds;
    this.#isMean = isMean;
  }

  enter({ value }: Reference): void {
    this.#count++;
    this.#sum += numberIn(value);
  }

  leave({ value }: Reference): void {
    this.#count--;
    // What rounding has left goes with the last value.
    this.#sum = this.#count === 0 ? 0 : this.#sum - numberIn(value);
  }

  holding(): readonly string[] {
    return wholeIf(this.#count > 0 && meets(this.#bounds, this.#isMean ? this.#sum / this.#count : this.#sum));
  }
}

/** A percentile, by linear interpolation between the closest ranks. */
class Percentile implements Measure {
  readonly #bounds: readonly Bound[];
  readonly #rank: number;
  readonly #sorted: number[] = [];

  constructor(bounds: readonly Bound[], percentile: number) {
    this.#bounds = bounds;
    this.#rank = percentile / 100;
  }

  enter({ value }: Reference): void {
    const number = numberIn(value);
    this.#sorted.splice(this.#placeOf(number), 0, number);
  }

  leave({ value }: Reference): void {
    this.#sorted.splice(this.#placeOf(numberIn(value)), 1);
  }

  holding(): readonly string[] {
    const sorted = this.#sorted;
    if (sorted.length === 0) return nothing;
    const rank = this.#rank * (sorted.length - 1);
    const below = sorted[Math.floor(rank)]!;
    const percentile = below + (sorted[Math.ceil(rank)]! - below) * (rank - Math.floor(rank));
    return wholeIf(meets(this.#bounds, percentile));
  }

  /** Where the first number stands that is not less. */
  #placeOf(number: number): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sorted[middle]! < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The share in percent of each distinct value, each of which may fulfil the condition by itself. */
class Shares implements Measure {
  readonly #bounds: readonly Bound[];
  readonly #values = new Tallies<string>();

  constructor(bounds: readonly Bound[]) {
    this.#bounds = bounds;
  }

  enter({ value }: Reference): void {
    this.#values.add(value ?? '');
  }

  leave({ value }: Reference): void {
    this.#values.remove(value ?? '');
  }

  holding(): readonly string[] {
    const { counts, total } = this.#values;
    return [...counts].flatMap(([value, count]) => (meets(this.#bounds, (count / total) * 100) ? [value] : nothing));
  }
}

/** Which inputs are there: all of them, so many of them, or those that an expression wants. */
class Presence implements Measure {
  readonly #correlation: Correlation;
  readonly #present = new Tallies<number>();

  constructor(correlation: Correlation) {
    this.#correlation = correlation;
  }

  enter({ input }: Reference): void {
    this.#present.add(input);
  }

  leave({ input }: Reference): void {
    this.#present.remove(input);
  }

  holding(): readonly string[] {
    const { expression, bounds, inputs } = this.#correlation;
    const { counts } = this.#present;
    if (expression !== null) return wholeIf(isTrue(expression, (input) => counts.has(input)));
    return wholeIf(bounds.length > 0 ? meets(bounds, counts.size) : counts.size === inputs.length);
  }
}

/** Whether an expression over inputs is true. */
function isTrue(expression: Expression, isPresent: (input: number) => boolean): boolean {
  switch (expression.kind) {
    case 'constant':
      return expression.value;
    case 'test':
      return isPresent(Number(expression.field));
    case 'not':
      return !isTrue(expression.of, isPresent);
    case 'all':
      return expression.of.every((part) => isTrue(part, isPresent));
    case 'any':
      return expression.of.some((part) => isTrue(part, isPresent));
  }
}

/**
 * The longest choice of one match per input, in the order of the inputs, with times that never fall: all
 * of them, or as many as the bounds ask for.
 */
class Succession implements Measure {
  readonly #bounds: readonly Bound[];
  readonly #inputs: number;
  /** Of the choices of each length that end with each input, the latest time at which one begins. */
  readonly #begins: number[][];
  readonly #lastTimes: number[];

  constructor(bounds: readonly Bound[], inputs: number) {
    this.#bounds = bounds;
    this.#inputs = inputs;
    this.#begins = Array.from({ length: inputs }, () => Array<number>(inputs + 1).fill(Number.NEGATIVE_INFINITY));
    this.#lastTimes = Array<number>(inputs).fill(Number.NaN);
  }

  enter({ input, time }: Reference): void {
    this.#lastTimes[input] = time;
    // Matches of the same time may be taken in any order, so what has been met of it counts again.
    for (let end = input; end < this.#inputs; end++) if (this.#lastTimes[end] === time) this.#extend(end, time);
  }

  leave(): void {
    // A choice that begins before the window is told by its time.
  }

  holding(from: number): readonly string[] {
    let longest = 0;
    for (const begins of this.#begins) {
      for (let length = longest + 1; length <= this.#inputs; length++) if (begins[length]! >= from) longest = length;
    }
    return wholeIf(this.#bounds.length > 0 ? meets(this.#bounds, longest) : longest === this.#inputs);
  }

  #extend(end: number, time: number): void {
    const begins = this.#begins[end]!;
    begins[1] = time;
    for (let before = 0; before < end; before++) {
      const earlier = this.#begins[before]!;
      for (let length = 1; length <= before + 1; length++) {
        if (earlier[length]! > begins[length + 1]!) begins[length + 1] = earlier[length]!;
      }
    }
  }
}

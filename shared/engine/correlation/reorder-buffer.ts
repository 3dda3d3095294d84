import type { RecordPlace } from '../events/log-event.ts';
import type { Sample } from '../findings.ts';
import type { NamedThings } from './linked.ts';
import type { CorrelatedMatch } from './match-collector.ts';

const atFirst = 1024;
/** Texts remembered at a time, so that those that repeat are kept once. */
const mostTexts = 65_536;

/**
 * Holds matches of rules that come out of order and gives them back by time, ties by place in the input. It is made
 * for a million: numbers stand in columns, equal texts are one.
 */
export class ReorderBuffer {
  /** A heap of rows: none comes before its parent, at half its place. */
  #heap = new Int32Array(atFirst);
  #size = 0;
  #times = new Float64Array(atFirst);
  #orders = new Float64Array(atFirst);
  #correlations = new Int32Array(atFirst);
  #inputs = new Int32Array(atFirst);
  #reported = new Uint8Array(atFirst);
  readonly #keys: string[] = [];
  readonly #values: (string | null)[] = [];
  readonly #timestamps: string[] = [];
  readonly #computers: (string | null)[] = [];
  readonly #samples: (Sample | null)[] = [];
  readonly #places: (RecordPlace | null)[] = [];
  readonly #named: (NamedThings | null)[] = [];
  /** Rows given back, to be used again. */
  readonly #free: number[] = [];
  readonly #texts = new Map<string, string>();

  get size(): number {
    return this.#size;
  }

  push(match: CorrelatedMatch): void {
    if (this.#size === this.#heap.length) this.#grow();
    const row = this.#free.pop() ?? this.#size;
    this.#put(row, match);
    let at = this.#size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(row, this.#heap[parent]!)) break;
      this.#heap[at] = this.#heap[parent]!;
      at = parent;
    }
    this.#heap[at] = row;
  }

  /** Takes out the earliest; undefined when there is none. */
  pop(): CorrelatedMatch | undefined {
    if (this.#size === 0) return undefined;
    const heap = this.#heap;
    const earliest = heap[0]!;
    const moved = heap[--this.#size]!;
    let at = 0;
    for (let child = 1; child < this.#size; child = at * 2 + 1) {
      if (child + 1 < this.#size && this.#isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!this.#isBefore(heap[child]!, moved)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = moved;
    return this.#take(earliest);
  }

  #isBefore(row: number, other: number): boolean {
    const time = this.#times[row]!;
    const otherTime = this.#times[other]!;
    return time < otherTime || (time === otherTime && this.#orders[row]! < this.#orders[other]!);
  }

  #put(
    row: number,
    {
      time,
      order,
      correlation,
      input,
      key,
      value,
      timestamp,
      computer,
      sample,
      place,
      named,
      isReported,
    }: CorrelatedMatch,
  ): void {
    this.#times[row] = time;
    this.#orders[row] = order;
    this.#correlations[row] = correlation;
    this.#inputs[row] = input;
    this.#reported[row] = Number(isReported);
    this.#keys[row] = this.#kept(key);
    this.#values[row] = value === null ? null : this.#kept(value);
    this.#timestamps[row] = timestamp;
    this.#computers[row] = computer === null ? null : this.#kept(computer);
    this.#samples[row] = sample;
    this.#places[row] = place;
    this.#named[row] = named;
  }

  #take(row: number): CorrelatedMatch {
    const match: CorrelatedMatch = {
      time: this.#times[row]!,
      order: this.#orders[row]!,
      correlation: this.#correlations[row]!,
      input: this.#inputs[row]!,
      key: this.#keys[row]!,
      value: this.#values[row]!,
      timestamp: this.#timestamps[row]!,
      computer: this.#computers[row]!,
      sample: this.#samples[row]!,
      place: this.#places[row]!,
      named: this.#named[row]!,
      added: null,
      isReported: this.#reported[row] === 1,
    };
    this.#timestamps[row] = '';
    this.#samples[row] = null;
    this.#places[row] = null;
    this.#named[row] = null;
    this.#free.push(row);
    return match;
  }

  #kept(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size >= mostTexts) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }

  #grow(): void {
    const length = this.#heap.length * 2;
    this.#heap = enlarged(this.#heap, new Int32Array(length));
    this.#times = enlarged(this.#times, new Float64Array(length));
    this.#orders = enlarged(this.#orders, new Float64Array(length));
    this.#correlations = enlarged(this.#correlations, new Int32Array(length));
    this.#inputs = enlarged(this.#inputs, new Int32Array(length));
    this.#reported = enlarged(this.#reported, new Uint8Array(length));
  }
}

function enlarged<T extends Int32Array | Uint8Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

export function isBefore(
  one: Pick<CorrelatedMatch, 'time' | 'order'>,
  other: Pick<CorrelatedMatch, 'time' | 'order'>,
): boolean {
  return one.time < other.time || (one.time === other.time && one.order < other.order);
}

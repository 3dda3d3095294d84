/** Relationships that a run holds: those first met. */
const mostHeld = 60_000;
/** Samples of each. */
export const mostSamples = 3;
/** What a number of the table has: its type and ends, and how many events show it, and how many of them failures. */
const [TYPE, SOURCE, TARGET, COUNT, FAILED, EVENT, SAMPLES, WIDTH] = [0, 1, 2, 3, 4, 5, 6, 6 + mostSamples];

/** Relationships of a run as columns; plain data. */
export interface Edges {
  readonly type: number;
  readonly source: number;
  readonly target: number;
  readonly count: number;
  readonly failed: number;
  /** Milliseconds; null where no event had a time. */
  readonly from: number | null;
  readonly to: number | null;
  /** Numbers of samples, in the order of the input. */
  readonly samples: readonly number[];
}

/** Counts the relationships of a run, in a hash table of numbers: most events show several. */
export class EdgeTable {
  /** Whether there were more than are held. */
  isTruncated = false;
  #size = 0;
  /** By place in the hash table, one more than the number of an edge. */
  #places = new Int32Array(1 << 12);
  #rows = new Int32Array(WIDTH << 10);
  #times = new Float64Array(2 << 10);

  /** Number of the relationship that the event shows; -1 where there are too many, or the event was counted. */
  add(type: number, source: number, target: number, event: number, isFailure: boolean): number {
    const edge = this.#find(type, source, target);
    if (edge < 0) return -1;
    const row = edge * WIDTH;
    if (this.#rows[row + EVENT] === event) return -1;
    this.#rows[row + EVENT] = event;
    this.#rows[row + COUNT]!++;
    if (isFailure) this.#rows[row + FAILED]!++;
    return edge;
  }

  /** The relationship was shown at that time. */
  widen(edge: number, time: number): void {
    const times = this.#times;
    if (time < times[edge * 2]!) times[edge * 2] = time;
    if (time > times[edge * 2 + 1]!) times[edge * 2 + 1] = time;
  }

  /** Whether one more sample of it is kept. */
  wantsSample(edge: number): boolean {
    return this.#rows[edge * WIDTH + SAMPLES + mostSamples - 1] === 0;
  }

  /** @param sample its number, from 1. */
  addSample(edge: number, sample: number): void {
    let at = edge * WIDTH + SAMPLES;
    while (this.#rows[at] !== 0) at++;
    this.#rows[at] = sample;
  }

  edges(): Edges[] {
    return Array.from({ length: this.#size }, (_, edge) => {
      const row = this.#rows.subarray(edge * WIDTH, (edge + 1) * WIDTH);
      const [from, to] = [this.#times[edge * 2]!, this.#times[edge * 2 + 1]!];
      return {
        type: row[TYPE]!,
        source: row[SOURCE]!,
        target: row[TARGET]!,
        count: row[COUNT]!,
        failed: row[FAILED]!,
        from: from <= to ? from : null,
        to: from <= to ? to : null,
        samples: [...row.subarray(SAMPLES)].filter((sample) => sample > 0),
      };
    });
  }

  #find(type: number, source: number, target: number): number {
    const rows = this.#rows;
    const mask = this.#places.length - 1;
    let place = hash(type, source, target) & mask;
    for (;;) {
      const edge = this.#places[place]! - 1;
      if (edge < 0) break;
      const row = edge * WIDTH;
      if (rows[row + SOURCE] === source && rows[row + TARGET] === target && rows[row + TYPE] === type) return edge;
      place = (place + 1) & mask;
    }
    return this.#insert(place, type, source, target);
  }

  #insert(place: number, type: number, source: number, target: number): number {
    if (this.#size >= mostHeld) {
      this.isTruncated = true;
      return -1;
    }
    const edge = this.#size++;
    this.#places[place] = edge + 1;
    if (this.#size * WIDTH > this.#rows.length) this.#growRows();
    const row = edge * WIDTH;
    this.#rows[row + TYPE] = type;
    this.#rows[row + SOURCE] = source;
    this.#rows[row + TARGET] = target;
    this.#times[edge * 2] = Number.POSITIVE_INFINITY;
    this.#times[edge * 2 + 1] = Number.NEGATIVE_INFINITY;
    if (this.#size * 2 > this.#places.length) this.#growPlaces();
    return edge;
  }

  #growRows(): void {
    const [rows, times] = [this.#rows, this.#times];
    this.#rows = new Int32Array(rows.length * 2);
    this.#rows.set(rows);
    this.#times = new Float64Array(times.length * 2);
    this.#times.set(times);
  }

  #growPlaces(): void {
    const places = new Int32Array(this.#places.length * 2);
    const mask = places.length - 1;
    for (let edge = 0; edge < this.#size; edge++) {
      const row = edge * WIDTH;
      let place = hash(this.#rows[row + TYPE]!, this.#rows[row + SOURCE]!, this.#rows[row + TARGET]!) & mask;
      while (places[place] !== 0) place = (place + 1) & mask;
      places[place] = edge + 1;
    }
    this.#places = places;
  }
}

function hash(type: number, source: number, target: number): number {
  const mixed = Math.imul(source, 0x9e3779b1) ^ Math.imul(target, 0x85ebca6b) ^ Math.imul(type + 1, 0x2c1b3c6d);
  return mixed ^ (mixed >>> 15);
}

/** A value with in how many events it was, and the first of them by place in the input. */
export interface MetValue {
  readonly value: string;
  readonly count: number;
  readonly order: number;
}

interface Counted {
  count: number;
  order: number;
}

/** Distinct values of a run, within bounds: past them only values met before are counted. */
export class MetValues {
  readonly #most: number;
  readonly #values = new Map<string, Counted>();
  #isTruncated = false;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#values.size;
  }

  /** Whether there were more values than are kept. */
  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  add(value: string, order: number, count = 1): void {
    const known = this.#values.get(value);
    if (known !== undefined) {
      known.count += count;
      known.order = Math.min(known.order, order);
    } else if (this.#values.size < this.#most) this.#values.set(value, { count, order });
    else this.#isTruncated = true;
  }

  /** In the order in which they were first met. */
  met(): MetValue[] {
    return [...this.#values]
      .map(([value, { count, order }]) => ({ value, count, order }))
      .sort((a, b) => a.order - b.order || (a.value < b.value ? -1 : 1));
  }

  /** What several runs over parts of one input met, as one run over all of it would have; `most` of them. */
  static join(parts: readonly (readonly MetValue[])[], most: number): MetValues {
    const all = new MetValues(Number.POSITIVE_INFINITY);
    for (const part of parts) for (const { value, count, order } of part) all.add(value, order, count);
    const joined = new MetValues(most);
    for (const { value, count, order } of all.met()) joined.add(value, order, count);
    return joined;
  }
}

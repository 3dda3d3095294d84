interface Timed {
  readonly time: number;
  readonly order: number;
}

/** Holds what comes out of order and gives it back by time, ties by place in the input. */
export class ReorderBuffer<T extends Timed> {
  /** A heap: none comes before its parent, at half its place. */
  readonly #items: T[] = [];

  get size(): number {
    return this.#items.length;
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(item, items[parent]!)) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  }

  /** Takes out the earliest; undefined when there is none. */
  pop(): T | undefined {
    const items = this.#items;
    const earliest = items[0];
    const moved = items.pop();
    if (moved === undefined || items.length === 0) return earliest;
    let at = 0;
    for (let child = 1; child < items.length; child = at * 2 + 1) {
      if (child + 1 < items.length && isBefore(items[child + 1]!, items[child]!)) child++;
      if (!isBefore(items[child]!, moved)) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = moved;
    return earliest;
  }
}

export function isBefore(one: Timed, other: Timed): boolean {
  return one.time < other.time || (one.time === other.time && one.order < other.order);
}

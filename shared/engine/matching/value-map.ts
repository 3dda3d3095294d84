import type { ValueId } from '../events/value-id.ts';

const smallest = 16;

/**
 * Small numbers by value handle, in memory that grows with the handles put in and not with how large
 * they are: most of what looks at values only ever meets a few of them. Handles begin at 1.
 */
export class ValueMap {
  /** Pairs of handle and number; handle 0 where there is none. */
  #slots = new Int32Array(2 * smallest);
  #shift = 32 - Math.log2(smallest);
  #count = 0;

  /** The number of a handle; 0 when it has none. */
  get(id: ValueId): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let at = this.#place(id); ; at = (at + 2) & mask) {
      const known = slots[at];
      if (known === id) return slots[at + 1]!;
      if (known === 0) return 0;
    }
  }

  /** Gives a number to a handle that has none. */
  add(id: ValueId, number: number): void {
    if (++this.#count * 3 > this.#slots.length) this.#grow();
    this.#put(id, number);
  }

  clear(): void {
    this.#count = 0;
    this.#slots.fill(0);
  }

  #place(id: ValueId): number {
    return (Math.imul(id, 0x9e3779b1) >>> this.#shift) << 1;
  }

  #put(id: ValueId, number: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let at = this.#place(id);
    while (slots[at] !== 0) at = (at + 2) & mask;
    slots[at] = id;
    slots[at + 1] = number;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2);
    this.#shift--;
    for (let at = 0; at < old.length; at += 2) if (old[at] !== 0) this.#put(old[at]!, old[at + 1]!);
  }
}

import type { Layout } from './record-layout.ts';

/** Slots that may still be kept in layouts; below zero, layouts are made anew for each record. */
export interface LayoutBudget {
  left: number;
}

/**
 * Layouts of records by the chain of their template instances: each nested instance, in the order
 * in which they are read, leads to another node (the joined look-up tables of detection-engine 4.3.1).
 */
export class LayoutNode {
  readonly #budget: LayoutBudget;
  readonly #children = new Map<number, LayoutNode>();
  #layout: Layout | undefined;
  #lastKey = -1;
  #last: LayoutNode | undefined;

  /** @param budget shared by all nodes, and watched by who keeps them. */
  constructor(budget: LayoutBudget) {
    this.#budget = budget;
    budget.left--;
  }

  /** The layout of the records that end here, once there was one. */
  get layout(): Layout | undefined {
    return this.#layout;
  }

  keep(layout: Layout): void {
    this.#budget.left -= layout.shape.slots.length;
    if (this.#budget.left >= 0) this.#layout = layout;
  }

  child(key: number): LayoutNode {
    if (key === this.#lastKey && this.#last !== undefined) return this.#last;
    let node = this.#children.get(key);
    if (node === undefined) {
      node = new LayoutNode(this.#budget);
      this.#children.set(key, node);
    }
    this.#lastKey = key;
    this.#last = node;
    return node;
  }
}

import type { SlotName } from '../../events/shape.ts';

/** Lists and ways to them that are kept at once. */
const mostNodes = 64 * 1024;

interface Node {
  names: readonly SlotName[] | undefined;
  readonly next: Map<number, Node>;
}

/** The computer of the head, which stands behind the names of a list. */
const headComputer: SlotName = { name: 'Computer', section: 'system' };

/**
 * Gives records whose names are told one by one the same list for the same names. What all records have under names of
 * its own stands before, and a name that is among these says nothing more.
 */
export class NameLists {
  readonly #own: readonly string[];
  #root = newNode();
  #nodes = 0;

  constructor(own: readonly string[] = []) {
    this.#own = own;
  }

  /** Forgets all lists: the numbers of names are void. */
  clear(): void {
    this.#root = newNode();
    this.#nodes = 0;
  }

  /**
   * The list of the names with these numbers, at [from, to).
   * @param nameOf text of a name by its place.
   */
  of(numbers: Int32Array, from: number, to: number, nameOf: (place: number) => string): readonly SlotName[] {
    if (this.#nodes > mostNodes) this.clear();
    let node = this.#root;
    for (let place = from; place < to; place++) {
      const number = numbers[place]!;
      let next = node.next.get(number);
      if (next === undefined) {
        this.#nodes++;
        node.next.set(number, (next = newNode()));
      }
      node = next;
    }
    return (node.names ??= this.#make(Array.from({ length: to - from }, (_, at) => nameOf(from + at))));
  }

  #make(names: readonly string[]): readonly SlotName[] {
    const given = names.map((name) => (this.#own.includes(name) ? '' : name));
    return [...[...this.#own, ...given].map((name): SlotName => ({ name, section: 'data' })), headComputer];
  }
}

function newNode(): Node {
  return { names: undefined, next: new Map() };
}

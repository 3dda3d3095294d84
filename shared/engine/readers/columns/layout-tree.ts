import { ValueTable } from '../../events/value-table.ts';
import type { Profile } from '../named/profile.ts';
import { decodePlain } from '../xml/xml-text.ts';
import { type Column, Layout } from './layout.ts';

const namesBudget = 1024 * 1024;
const longestName = 256;
/** Names held by all nodes together, so that a log whose records are all of another layout stays bounded. */
const mostHeld = 512 * 1024;
const mostColumns = 256;

/** Finds the layout of records that name their values themselves: those with the same names in the same order share one. */
export class LayoutTree {
  readonly #names = new ValueTable(namesBudget);
  readonly #plain = this.#names.kind(decodePlain);
  readonly #makeColumn: (name: string) => Column;
  #root = new Node();
  #at = this.#root;
  #held = 0;
  #depth = 0;

  constructor(makeColumn: (name: string) => Column) {
    this.#makeColumn = makeColumn;
  }

  start(): void {
    this.#names.nextRecord();
    if (this.#held > mostHeld) {
      this.#root = new Node();
      this.#held = 0;
    }
    this.#at = this.#root;
    this.#depth = 0;
  }

  /** The record has a value of this name; false when it has as many as are kept. */
  add(bytes: Uint8Array, start: number, end: number): boolean {
    // Most records of a log have their values in the same order.
    const next = this.#at.last;
    if (next !== undefined && equals(next.name, bytes, start, end)) {
      this.#at = next;
      this.#depth++;
      return true;
    }
    const length = Math.min(end - start, longestName);
    return this.addName(this.#names.text(this.#names.internBytes(this.#plain, bytes, start, length)));
  }

  addName(name: string): boolean {
    if (this.#depth >= mostColumns) return false;
    this.#depth++;
    let child = this.#at.children.get(name);
    if (child === undefined) {
      this.#held += this.#depth;
      child = new Node([...this.#at.columns, this.#makeColumn(name)], new TextEncoder().encode(name));
      this.#at.children.set(name, child);
    }
    this.#at.last = child;
    this.#at = child;
    return true;
  }

  finish(profile: Profile): Layout {
    const node = this.#at;
    if (node.layout?.profile !== profile) node.layout = new Layout(node.columns, profile);
    return node.layout;
  }
}

class Node {
  readonly children = new Map<string, Node>();
  /** From the first name of a record to this one. */
  readonly columns: readonly Column[];
  readonly name: Uint8Array;
  /** Where the record before went from here. */
  last: Node | undefined;
  layout: Layout | undefined;

  constructor(columns: readonly Column[] = [], name: Uint8Array = new Uint8Array(0)) {
    this.columns = columns;
    this.name = name;
  }
}

function equals(name: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let i = 0; i < name.length; i++) if (name[i] !== bytes[start + i]) return false;
  return true;
}

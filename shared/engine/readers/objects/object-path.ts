import { isLeaf, isList, type JsonNode, type JsonTree } from '../json/json-tree.ts';

const mostSegments = 12;

/**
 * A rule's field as a way through nested objects. A key that has the dots in it comes before those
 * that are only parts, and exact case before any other.
 */
export class ObjectPath {
  /** By segment, the keys that begin there, longest first, and the segment behind each. */
  readonly #keys: readonly (readonly { key: string; lower: string; next: number }[])[];

  constructor(name: string) {
    const split = name.split('.');
    const segments = split.length > mostSegments ? [name] : split;
    this.#keys = segments.map((_, from) =>
      segments
        .slice(from)
        .map((__, i) => segments.slice(from, from + i + 1).join('.'))
        .map((key, i) => ({ key, lower: key.toLowerCase(), next: from + i + 1 }))
        .reverse(),
    );
  }

  /** Everything that the record has there: one value, or several where arrays lie on the way. */
  find(record: JsonTree): readonly JsonNode[] {
    const found: JsonNode[] = [];
    this.#walk(record, 0, found);
    return found;
  }

  #walk(value: JsonNode, from: number, found: JsonNode[]): boolean {
    if (from === this.#keys.length) {
      found.push(value);
      return true;
    }
    if (isLeaf(value)) return false;
    if (isList(value)) {
      const before = found.length;
      for (const item of value) if (!isLeaf(item)) this.#walk(item, from, found);
      return found.length > before;
    }
    for (const { key, lower, next } of this.#keys[from]!) {
      const inner = Object.hasOwn(value, key) ? value[key] : anyCase(value, lower);
      if (inner !== undefined && this.#walk(inner, next, found)) return true;
    }
    return false;
  }
}

function anyCase(object: JsonTree, lower: string): JsonNode | undefined {
  for (const key in object) {
    if (key.length === lower.length && key.toLowerCase() === lower) return object[key];
  }
  return undefined;
}
